SELECT zone_id AS "zoneId", number, action, objects, author, created_at::timestamptz(3) AS "createdAt",
  contents_from AS "contentsFrom", rest_from AS "restFrom", adjustment::text AS "adjustment", replay_bytes AS "replayBytes",
  inverse::text AS "inverse",
  (SELECT max(p.number) FROM zone_revisions AS p WHERE p.zone_id = r.zone_id AND p.number < r.number) AS "previous"
FROM zone_revisions AS r WHERE zone_id = ${zone} AND number = ${number}
