-- Runs after the account has been locked, which whoever ends all its sessions does first. A session that is not stored
-- is one of an embedding service.
SELECT count(*) > 0 AS "ended" FROM sessions
WHERE id = ${session} AND user_id = ${id} AND (ended_at IS NOT NULL OR expires_at <= now())
