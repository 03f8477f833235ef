UPDATE refresh_tokens SET used_at = now() WHERE hash = ${hash} AND used_at IS NULL
RETURNING session_id AS "sessionId"
