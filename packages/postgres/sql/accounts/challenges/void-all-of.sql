UPDATE challenges SET spent_at = now() WHERE user_id = ${userId} AND spent_at IS NULL
