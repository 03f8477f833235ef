-- Discarded sets stay readable for 30 days. Applied ones are deleted with their zone.
DELETE FROM change_sets WHERE id IN (
  SELECT id FROM change_sets WHERE applied_at IS NULL AND ends_at < now() - interval '30 days' LIMIT 100
  FOR UPDATE SKIP LOCKED
) RETURNING id
