INSERT INTO promotions (id, zone_id, change_set_id, source_id, from_revision, to_revision, base_from_revision,
  base_to_revision, request, report, created_by, created_at)
VALUES (${id}, ${zone}, ${changeSet}, ${from}, ${fromRevision}, ${toRevision}, ${baseFromRevision}, ${baseToRevision},
  ${request}, ${report}::json, ${createdBy}, statement_timestamp())
RETURNING <%~ include('@promotion-columns') %>,
  report::text AS "report"
