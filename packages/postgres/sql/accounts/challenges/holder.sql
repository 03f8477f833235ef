SELECT c.user_id AS "userId"
FROM challenges AS c JOIN users AS u ON u.id = c.user_id
WHERE c.hash = ${hash} AND c.attempts < ${maxAttempts} AND c.spent_at IS NULL AND c.expires_at > now()
  AND u.credentials_version = c.credentials_version AND active AND email_verified_at IS NOT NULL
