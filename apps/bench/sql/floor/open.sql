WITH opened AS (
  INSERT INTO sessions (id, user_id, methods, expires_at) VALUES ($1, $2, '{pwd}', now() + interval '90 days')
  RETURNING id, user_id
), recorded AS (
  INSERT INTO audit_log (action, actor_id, objects)
  SELECT 'session.opened', user_id, jsonb_build_object('session', id) FROM opened
)
INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT $3, id, now() + interval '30 days' FROM opened
