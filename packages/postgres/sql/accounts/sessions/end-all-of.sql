UPDATE sessions SET ended_at = now() WHERE user_id = ${userId} AND ended_at IS NULL AND id IS DISTINCT FROM ${except}
