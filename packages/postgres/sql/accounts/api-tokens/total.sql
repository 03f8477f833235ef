SELECT count(*)::int AS "total" FROM api_tokens WHERE user_id = ${user}
