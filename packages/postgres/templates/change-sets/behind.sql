SELECT <%~ include('@change-set-columns') %>,
  patch::text AS "patch", operations::text AS "operations", disputed::text AS "disputed"
FROM change_sets
WHERE zone_id = ${zone} AND applied_at IS NULL AND ends_at > statement_timestamp()
  AND (disputed IS NOT NULL OR base <> (SELECT revision FROM zones WHERE id = ${zone}))
ORDER BY id
