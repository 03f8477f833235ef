-- Only of a live session, of an account in good standing.
WITH used AS (
  UPDATE refresh_tokens AS t SET used_at = now()
  FROM sessions AS s JOIN users AS u ON u.id = s.user_id
  WHERE t.hash = $1 AND t.used_at IS NULL AND t.expires_at > now()
    AND s.id = t.session_id AND s.ended_at IS NULL AND s.expires_at > now()
    AND u.active AND u.email_verified_at IS NOT NULL
  RETURNING s.id, s.user_id
), touched AS (
  UPDATE sessions AS s SET last_used_at = now() FROM used WHERE s.id = used.id
), recorded AS (
  INSERT INTO audit_log (action, actor_id, objects)
  SELECT 'session.refreshed', user_id, jsonb_build_object('session', id) FROM used
)
INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT $2, id, now() + interval '30 days' FROM used
RETURNING session_id AS "sessionId"
