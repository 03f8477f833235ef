-- The conditions of count-attempt.sql.
SELECT c.user_id AS "userId"
FROM challenges AS c JOIN users AS u ON u.id = c.user_id AND u.credentials_version = c.credentials_version
WHERE c.hash = ${hash} AND c.attempts < ${maxAttempts} AND c.spent_at IS NULL AND c.expires_at > now()
  AND u.active AND u.email_verified_at IS NOT NULL
