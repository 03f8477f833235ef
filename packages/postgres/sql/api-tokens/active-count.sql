SELECT count(*)::int AS "count", /*part own-limits/user*/ FROM api_tokens
WHERE user_id = ${user} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
