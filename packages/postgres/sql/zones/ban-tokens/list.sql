-- `earlier` tells whether a token has been rotated in the meantime.
SELECT id, ban_token AS "earlier",
  CASE WHEN starts_with(ban_token, 'hmac.') THEN sealed_ban_token ELSE ban_token END AS "banToken"
FROM zones
WHERE ${after}::uuid IS NULL OR id > ${after} ORDER BY id LIMIT ${limit}
