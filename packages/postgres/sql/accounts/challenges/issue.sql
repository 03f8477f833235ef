INSERT INTO challenges (hash, user_id, credentials_version, provider, expires_at)
VALUES (${hash}, ${userId}, ${credentialsVersion}, ${provider}, now() + make_interval(secs => ${lifetimeSeconds}))
