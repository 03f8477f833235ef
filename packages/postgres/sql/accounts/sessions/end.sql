UPDATE sessions SET ended_at = now() WHERE id = ${sessionId} AND user_id = ${userId} AND ended_at IS NULL
RETURNING id
