-- Their refresh tokens go with them; until then a used one is still recognized.
DELETE FROM sessions WHERE id IN (
  SELECT id FROM sessions WHERE expires_at < now() - interval '1 day' LIMIT 100 FOR UPDATE SKIP LOCKED
) RETURNING id
