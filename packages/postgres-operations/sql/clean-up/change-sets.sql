-- Discarded sets stay readable for a while. Applied ones are deleted with their zone. A batch is a number of rows and a
-- number of bytes, but always a row.
DELETE FROM change_sets WHERE id IN (
  SELECT id FROM (
    SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM (
      SELECT id, bytes FROM change_sets WHERE applied_at IS NULL AND ends_at < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch}
      FOR UPDATE SKIP LOCKED
    ) AS ended
  ) AS counted
  WHERE before < ${bytes}
) RETURNING id
