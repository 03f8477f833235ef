SELECT zone_id AS "zoneId", number, action, objects, author, patch::text AS "patch", inverse::text AS "inverse",
  created_at::timestamptz(3) AS "createdAt"
FROM zone_revisions WHERE zone_id = ${zone} AND number = ${number}
