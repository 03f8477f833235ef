UPDATE challenges AS c SET attempts = c.attempts + 1
FROM users AS u
WHERE u.id = c.user_id AND c.hash = ${hash} AND c.attempts < ${maxAttempts} AND c.spent_at IS NULL AND c.expires_at > now()
  AND u.credentials_version = c.credentials_version AND active AND email_verified_at IS NOT NULL
RETURNING c.user_id AS "userId", c.credentials_version AS "credentialsVersion", c.provider
