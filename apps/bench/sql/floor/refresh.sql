WITH used AS (
  UPDATE refresh_tokens SET used_at = now() WHERE hash = $1 AND used_at IS NULL AND expires_at > now() RETURNING session_id AS id
)
INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT $2, id, now() + interval '30 days' FROM used
RETURNING session_id AS "sessionId"
