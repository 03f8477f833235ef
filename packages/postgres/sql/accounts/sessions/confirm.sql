UPDATE sessions SET confirmed_at = now()
WHERE id = ${sessionId} AND user_id = ${userId} AND ended_at IS NULL AND expires_at > now()
RETURNING id
