-- Lock order: account, then challenge.
SELECT id FROM users
WHERE id = ${userId} AND credentials_version = ${credentialsVersion} AND active AND email_verified_at IS NOT NULL
FOR NO KEY UPDATE
