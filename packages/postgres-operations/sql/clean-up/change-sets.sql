-- Discarded sets stay readable for a while. Applied ones are deleted with their zone.
DELETE FROM change_sets WHERE id IN (
  SELECT id FROM change_sets WHERE applied_at IS NULL AND ends_at < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch}
  FOR UPDATE SKIP LOCKED
) RETURNING id
