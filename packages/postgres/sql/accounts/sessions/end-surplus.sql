-- The user's other sessions beyond the given number, least recently used first.
UPDATE sessions SET ended_at = now()
WHERE id IN (
  SELECT id FROM sessions
  WHERE user_id = ${userId} AND ended_at IS NULL AND expires_at > now() AND id <> ${id}
  ORDER BY last_used_at DESC, id DESC
  OFFSET ${others}
) AND ended_at IS NULL
RETURNING id
