-- One statement for three writes. The old token is used up before the new one is there: a session has one live token.
WITH used AS (
  UPDATE refresh_tokens SET used_at = now() WHERE hash = ${hash} AND used_at IS NULL RETURNING session_id
), touched AS (
  UPDATE sessions SET last_used_at = now() FROM used WHERE id = used.session_id RETURNING id, expires_at
)
INSERT INTO refresh_tokens (hash, session_id, expires_at)
SELECT ${successor}, id, least(now() + make_interval(secs => ${lifetimeSeconds}), expires_at) FROM touched
RETURNING hash
