-- Deletes revisions of backends. The next revision of each stores the state before it, to show its change.
WITH removed AS (
  DELETE FROM backend_revisions AS r USING unnest(${backends}::uuid[], ${numbers}::int[]) AS outdated (backend_id, number)
  WHERE r.backend_id = outdated.backend_id AND r.number = outdated.number
  RETURNING r.backend_id, r.number, r.state
)
UPDATE backend_revisions AS r SET before = removed.state FROM removed
WHERE r.backend_id = removed.backend_id AND r.number = removed.number + 1
  AND NOT EXISTS (SELECT FROM removed AS other WHERE other.backend_id = r.backend_id AND other.number = r.number)
