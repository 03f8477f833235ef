-- Refreshes a session in one statement; no row for an unknown token. Uses the advisory lock of `try-lock.sql`. User,
-- session and token are locked in sequence, each only if the previous one qualifies, and conditions are rechecked after
-- locking, so commits since the start of the statement do not matter: at worst, a session counts as used although its token
-- is refused. The old token is marked as used before the new one is inserted: a session has one live token.
WITH found AS MATERIALIZED (
  SELECT s.id, s.user_id, pg_try_advisory_xact_lock(hashtextextended(${hash}, 0)) AS locked,
    t.used_at IS NULL AND t.expires_at > now() AS fresh
  FROM refresh_tokens AS t JOIN sessions AS s ON s.id = t.session_id
  WHERE t.hash = ${hash}
), owner AS MATERIALIZED (
  SELECT u.id, found.id AS session_id
  FROM users AS u JOIN found ON found.locked AND found.fresh AND u.id = found.user_id
  WHERE active AND email_verified_at IS NOT NULL
  FOR NO KEY UPDATE OF u
), live AS (
  UPDATE sessions AS s SET last_used_at = now() FROM owner
  WHERE s.id = owner.session_id AND s.ended_at IS NULL AND s.expires_at > now()
  RETURNING s.id, s.user_id, s.methods, s.expires_at
), used AS (
  UPDATE refresh_tokens AS t SET used_at = now() FROM live
  WHERE t.hash = ${hash} AND t.used_at IS NULL AND t.expires_at > now()
  RETURNING live.id, live.user_id, live.methods, live.expires_at
), successor AS (
  INSERT INTO refresh_tokens (hash, session_id, expires_at)
  SELECT ${successor}, id, least(now() + make_interval(secs => ${lifetimeSeconds}), expires_at) FROM used
), recorded AS (
  INSERT INTO audit_log (action, actor_id, objects, network, user_agent)
  SELECT ${action}, user_id, jsonb_build_object('session', id), ${network}, ${userAgent} FROM used
)
SELECT found.locked, found.user_id AS "userId", found.id AS "sessionId", used.methods
FROM found LEFT JOIN used ON true
