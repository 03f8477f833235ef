UPDATE mailed_tokens AS t SET used_at = now()
FROM users AS u
WHERE t.hash = ${hash} AND t.purpose = ${purpose} AND t.used_at IS NULL AND t.expires_at > now()
  AND u.id = t.user_id AND u.credentials_version = t.credentials_version
RETURNING t.user_id AS "userId", t.email_key AS "email"
