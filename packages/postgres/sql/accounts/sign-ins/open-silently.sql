-- A sign-in in one statement, unless its network is new. Networks and sessions are read as of the statement's start;
-- the number of sign-ins shows after locking the account whether they are still current.
WITH before AS MATERIALIZED (
  SELECT id, sign_ins, credentials_version = ${credentialsVersion} AND active AND email_verified_at IS NOT NULL AS valid
  FROM users WHERE id = ${userId}
), networks AS MATERIALIZED (
  SELECT network, last_used_at FROM sign_in_networks WHERE user_id = ${userId} AND ${network}::text IS NOT NULL
), account AS (
  UPDATE users AS u SET sign_ins = u.sign_ins + 1 FROM before
  WHERE u.id = before.id AND u.sign_ins = before.sign_ins
    AND before.valid AND u.credentials_version = ${credentialsVersion} AND active AND email_verified_at IS NOT NULL
    AND (NOT EXISTS (SELECT FROM networks) OR EXISTS (
      SELECT FROM networks
      WHERE network = ${network} AND last_used_at > now() - make_interval(secs => ${rememberedSeconds})
    ))
  RETURNING u.id
), opened AS (
  INSERT INTO sessions (id, user_id, methods, provider, user_agent, expires_at)
  SELECT ${id}, id, ${methods}, ${provider}, ${userAgent}, now() + make_interval(secs => ${lifetimeSeconds}) FROM account
  RETURNING id, user_id, expires_at
), token AS (
  INSERT INTO refresh_tokens (hash, session_id, expires_at)
  SELECT ${refreshToken}, id, least(now() + make_interval(secs => ${refreshTokenSeconds}), expires_at) FROM opened
), noted AS (
  INSERT INTO sign_in_networks (user_id, network) SELECT id, ${network} FROM account WHERE ${network}::text IS NOT NULL
  ON CONFLICT (user_id, network) DO UPDATE SET last_used_at = now()
), surplus AS (
  UPDATE sessions AS s SET ended_at = now() FROM account
  WHERE s.id IN (
    SELECT id FROM sessions
    WHERE user_id = ${userId} AND ended_at IS NULL AND expires_at > now()
    ORDER BY last_used_at DESC, id DESC
    OFFSET ${others}
  ) AND s.ended_at IS NULL
  RETURNING s.id
), recorded AS (
  INSERT INTO audit_log (action, actor_id, objects, network, user_agent)
  SELECT action, ${userId}, jsonb_strip_nulls(jsonb_build_object('session', id, 'provider', provider)), ${network}, ${userAgent}
  FROM (
    SELECT ${openedAction}::text AS action, id, ${provider}::text AS provider FROM opened
    UNION ALL
    SELECT ${endedAction}, id, NULL FROM surplus
  ) AS sessions
)
SELECT valid, EXISTS (SELECT FROM account) AS "opened" FROM before
