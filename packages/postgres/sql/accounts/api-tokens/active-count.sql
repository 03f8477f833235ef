SELECT count(*)::int AS "count", (SELECT limits::text FROM users WHERE id = ${user}) AS "own" FROM api_tokens
WHERE user_id = ${user} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
