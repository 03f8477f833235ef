WITH account AS (
  UPDATE users SET sign_ins = sign_ins + 1
  WHERE id = ${userId} AND credentials_version = ${credentialsVersion} AND active AND email_verified_at IS NOT NULL
  RETURNING id
)
INSERT INTO sessions (id, user_id, methods, provider, user_agent, expires_at)
SELECT ${id}, id, ${methods}, ${provider}, ${userAgent}, now() + make_interval(secs => ${lifetimeSeconds}) FROM account
RETURNING id
