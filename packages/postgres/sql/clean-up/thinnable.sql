-- Zones with revisions without a snapshot before the cutoff, with the last snapshot before it: later revisions are
-- based on that, so before it only revisions with snapshots must be kept. A thousand at a time.
WITH due AS (
  /*part clean-up/due*/
)
SELECT due.id AS "zoneId", last.number FROM due CROSS JOIN LATERAL (
  SELECT number FROM zone_revisions
  WHERE zone_id = due.id AND snapshot IS NOT NULL AND number > due.whole_from AND number <= due.whole_from + 1000
    AND created_at <= due.cutoff AND number <= due.needed
  ORDER BY number DESC LIMIT 1
) AS last
