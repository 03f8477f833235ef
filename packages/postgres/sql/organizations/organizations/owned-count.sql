SELECT count(*)::int AS "count", (SELECT limits::text FROM users WHERE id = ${user}) AS "own"
FROM memberships WHERE user_id = ${user} AND role = 'owner'
