-- Zones with revisions without a snapshot before the cutoff, with the last snapshot before it: later revisions are
-- based on that, so before it only revisions with snapshots must be kept. A batch at a time; in one without a snapshot,
-- the last revision, which needs one then.
WITH due AS (
  SELECT i.id, i.history_whole_from AS whole_from,
    date_trunc('day', now()) - make_interval(days => CASE WHEN r.organization_id IS NULL THEN ${days}::int ELSE r.days END) AS cutoff,
    coalesce((SELECT min(number) FROM needed_revisions WHERE zone_id = i.id), ${maxNumber}::int) AS needed
  FROM unnest(${zones}::uuid[]) AS zone (id) JOIN zone_identities AS i ON i.id = zone.id
    LEFT JOIN organization_retention AS r ON r.organization_id = i.organization_id AND r.what = ${what}
)
SELECT due.id AS "zoneId", last.number, last.has_snapshot AS "hasSnapshot" FROM due CROSS JOIN LATERAL (
  SELECT number, snapshot IS NOT NULL AS has_snapshot FROM zone_revisions
  WHERE zone_id = due.id AND created_at <= due.cutoff AND number <= due.needed AND (
    snapshot IS NOT NULL AND number > due.whole_from AND number <= due.whole_from + ${batch}::int
    OR number = due.whole_from + ${batch}::int
  )
  ORDER BY has_snapshot DESC, number DESC LIMIT 1
) AS last
