SELECT <%~ include('@promotion-columns') %>,
  report::text AS "report"
FROM promotions JOIN change_sets ON change_sets.id = promotions.change_set_id
WHERE promotions.zone_id = ${zone} AND source_id = ${from} AND from_revision = ${fromRevision}
  AND to_revision = ${toRevision} AND request = ${request} AND applied_at IS NULL AND ends_at > statement_timestamp()
ORDER BY promotions.created_at DESC, promotions.id DESC
LIMIT 1
