INSERT INTO refresh_tokens (hash, session_id, expires_at)
SELECT ${hash}, id, least(now() + make_interval(secs => ${lifetimeSeconds}), expires_at)
FROM sessions WHERE id = ${sessionId}
RETURNING hash
