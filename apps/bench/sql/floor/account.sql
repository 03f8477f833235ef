SELECT id, password_hash AS "passwordHash" FROM users WHERE email_key = $1
