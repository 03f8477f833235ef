SELECT promotions.id, promotions.zone_id AS "zoneId", promotions.source_id AS "from",
  promotions.from_revision AS "fromRevision", promotions.to_revision AS "toRevision",
  promotions.base_from_revision AS "baseFromRevision", promotions.base_to_revision AS "baseToRevision",
  promotions.change_set_id AS "changeSet", promotions.created_by AS "createdBy", promotions.created_at AS "createdAt",
  report::text AS "report"
FROM promotions JOIN change_sets ON change_sets.id = promotions.change_set_id
WHERE promotions.zone_id = ${zone} AND source_id = ${from} AND from_revision = ${fromRevision}
  AND to_revision = ${toRevision} AND request = ${request} AND applied_at IS NULL AND ends_at > statement_timestamp()
ORDER BY promotions.created_at DESC, promotions.id DESC
LIMIT 1
