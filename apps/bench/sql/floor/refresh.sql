WITH used AS (
  UPDATE refresh_tokens SET used_at = now() WHERE hash = $1 AND used_at IS NULL AND expires_at > now()
  RETURNING session_id
), touched AS (
  UPDATE sessions SET last_used_at = now() FROM used WHERE id = used.session_id RETURNING id, user_id
), recorded AS (
  INSERT INTO audit_log (action, actor_id, objects)
  SELECT 'session.refreshed', user_id, jsonb_build_object('session', id) FROM touched
)
INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT $2, id, now() + interval '30 days' FROM touched
RETURNING session_id AS "sessionId"
