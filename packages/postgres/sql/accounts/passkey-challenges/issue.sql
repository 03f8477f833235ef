INSERT INTO passkey_challenges (hash, expires_at) VALUES (${hash}, now() + make_interval(secs => ${lifetimeSeconds}))
