SELECT count(*)::int AS "total" FROM sessions WHERE user_id = ${userId} AND ended_at IS NULL AND expires_at > now()
