UPDATE sessions SET ended_at = now() WHERE user_id = ${userId} AND provider = ${provider} AND ended_at IS NULL
