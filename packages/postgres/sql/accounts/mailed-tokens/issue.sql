INSERT INTO mailed_tokens (hash, user_id, purpose, email_key, credentials_version, expires_at)
SELECT ${hash}, id, ${purpose}, email_key, credentials_version, now() + make_interval(secs => ${lifetimeSeconds})
FROM users WHERE id = ${userId}
RETURNING hash
