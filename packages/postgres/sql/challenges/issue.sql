INSERT INTO challenges (hash, user_id, credentials_version, expires_at)
VALUES (${hash}, ${userId}, ${credentialsVersion}, now() + make_interval(secs => ${lifetimeSeconds}))
