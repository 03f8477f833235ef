INSERT INTO promotions (id, zone_id, change_set_id, source_id, from_revision, to_revision, base_from_revision,
  base_to_revision, request, report, created_by, created_at)
VALUES (${id}, ${zone}, ${changeSet}, ${from}, ${fromRevision}, ${toRevision}, ${baseFromRevision}, ${baseToRevision},
  ${request}, ${report}::json, ${createdBy}, statement_timestamp())
RETURNING promotions.id, promotions.zone_id AS "zoneId", promotions.source_id AS "from",
  promotions.from_revision AS "fromRevision", promotions.to_revision AS "toRevision",
  promotions.base_from_revision AS "baseFromRevision", promotions.base_to_revision AS "baseToRevision",
  promotions.change_set_id AS "changeSet", promotions.created_by AS "createdBy", promotions.created_at AS "createdAt",
  report::text AS "report"
