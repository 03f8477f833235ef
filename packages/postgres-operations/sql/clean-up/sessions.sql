-- Deletes refresh tokens too; until then used ones are still recognized.
DELETE FROM sessions WHERE id IN (
  SELECT id FROM sessions WHERE expires_at < now() - interval '1 day' LIMIT 100 FOR UPDATE SKIP LOCKED
) RETURNING id
