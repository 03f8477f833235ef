SELECT count(*)::int AS "total" FROM passkeys WHERE user_id = ${user}
