INSERT INTO sessions (id, user_id, methods, user_agent, expires_at)
SELECT ${id}, id, ${methods}, ${userAgent}, now() + make_interval(secs => ${lifetimeSeconds})
FROM users
WHERE id = ${userId} AND credentials_version = ${credentialsVersion} AND /*part accounts/in-good-standing*/
FOR NO KEY UPDATE
RETURNING id
