SELECT <%~ include('@promotion-columns') %>,
  report::text AS "report"
FROM promotions
WHERE id = ${id} AND zone_id = ${zone}
