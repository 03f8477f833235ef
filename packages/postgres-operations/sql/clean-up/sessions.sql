-- Deletes refresh tokens too; until then used ones are still recognized.
DELETE FROM sessions WHERE id IN (
  SELECT id FROM sessions WHERE expires_at < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch} FOR UPDATE SKIP LOCKED
) RETURNING id
