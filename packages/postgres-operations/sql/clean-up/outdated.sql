-- Zones whose two oldest revisions are before the cutoff, with the last revision before it: that state is the new
-- beginning. With a whole batch of such revisions, the last one with a snapshot, unless only the first one has one.
WITH due AS (
  SELECT i.id, i.history_whole_from AS whole_from,
    date_trunc('day', now()) - make_interval(days => CASE WHEN r.organization_id IS NULL THEN ${days}::int ELSE r.days END) AS cutoff,
    coalesce((SELECT min(number) FROM needed_revisions WHERE zone_id = i.id), ${maxNumber}::int) AS needed
  FROM unnest(${zones}::uuid[]) AS zone (id) JOIN zone_identities AS i ON i.id = zone.id
    LEFT JOIN organization_retention AS r ON r.organization_id = i.organization_id AND r.what = ${what}
)
SELECT due.id AS "zoneId", cut.number, cut.number IS NOT DISTINCT FROM oldest.snapshot AS "hasSnapshot"
FROM due CROSS JOIN LATERAL (
  SELECT created_at, number FROM zone_revisions WHERE zone_id = due.id ORDER BY number OFFSET 1 LIMIT 1
) AS second CROSS JOIN LATERAL (
  SELECT count(*) AS count, min(number) AS first, max(number) AS last, max(number) FILTER (WHERE has_snapshot) AS snapshot
  FROM (
    SELECT number, created_at, snapshot IS NOT NULL AS has_snapshot
    FROM zone_revisions WHERE zone_id = due.id ORDER BY number LIMIT ${batch}
  ) AS r
  WHERE created_at <= due.cutoff AND number <= due.needed
) AS oldest CROSS JOIN LATERAL (
  SELECT CASE WHEN oldest.count = ${batch} AND oldest.snapshot > oldest.first THEN oldest.snapshot ELSE oldest.last END AS number
) AS cut
WHERE second.created_at <= due.cutoff AND second.number <= due.needed
