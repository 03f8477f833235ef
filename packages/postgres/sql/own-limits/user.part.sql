(SELECT limits::text FROM users WHERE id = ${user}) AS "own"
