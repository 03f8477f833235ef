SELECT t.user_id AS "userId"
FROM mailed_tokens AS t JOIN users AS u ON u.id = t.user_id
WHERE t.hash = ${hash} AND t.purpose = ${purpose} AND t.used_at IS NULL AND t.expires_at > now()
  AND u.credentials_version = t.credentials_version
