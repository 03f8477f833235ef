UPDATE challenges AS c SET attempts = c.attempts + 1
FROM users AS u
WHERE c.hash = ${hash} AND c.attempts < ${maxAttempts} AND c.spent_at IS NULL AND c.expires_at > now()
  AND u.id = c.user_id AND u.credentials_version = c.credentials_version
  AND u.active AND u.email_verified_at IS NOT NULL
RETURNING c.user_id AS "userId", c.credentials_version AS "credentialsVersion"
