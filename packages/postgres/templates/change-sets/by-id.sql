SELECT <%~ include('@change-set-columns') %>,
  patch::text AS "patch", operations::text AS "operations", disputed::text AS "disputed"
FROM change_sets
WHERE id = ${id} AND zone_id = ${zone}
