SELECT zone_id AS "zoneId", number, action, objects, author, created_at::timestamptz(3) AS "createdAt"
FROM zone_revisions WHERE zone_id = ${zone}
ORDER BY number DESC
LIMIT ${limit} OFFSET ${offset}
