-- Lock order: account, then challenge.
SELECT id FROM users
WHERE id = ${userId} AND credentials_version = ${credentialsVersion} AND /*part accounts/in-good-standing*/
FOR NO KEY UPDATE
