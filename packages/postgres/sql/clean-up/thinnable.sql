-- Zones that have revisions without a snapshot from before the cutoff, and the last revision from then that has one: whatever
-- comes after it is read from it, so that only those with snapshots have to stay before it. A thousand at a time.
WITH due AS (
  /*part clean-up/due*/
)
SELECT due.id AS "zoneId", last.number FROM due CROSS JOIN LATERAL (
  SELECT number FROM zone_revisions
  WHERE zone_id = due.id AND snapshot IS NOT NULL AND number > due.whole_from AND number <= due.whole_from + 1000
    AND created_at <= due.cutoff AND number <= due.needed
  ORDER BY number DESC LIMIT 1
) AS last
