UPDATE sessions SET last_used_at = now() WHERE id = ${sessionId}
