-- Rendered from templates/zones/history/trail-names.sql.eta
-- Unique names of the rows in the trail, and their sizes.
WITH RECURSIVE ending (number) AS (
  -- The trail ends at the revision, and so does one at each of those that the first revision of another trail refers to.
  VALUES (${number}::int)
  UNION
  SELECT unnest(ARRAY[first.contents_from, first.rest_from]) FROM ending JOIN LATERAL (
    SELECT r.contents_from, r.rest_from FROM zone_revisions AS r
    WHERE r.zone_id = ${zone} AND r.number <= ending.number AND (r.snapshot IS NOT NULL OR r.contents_from IS NOT NULL)
    ORDER BY r.number DESC LIMIT 1
  ) AS first ON first.contents_from IS NOT NULL
), trail AS (
  SELECT DISTINCT part.number FROM ending JOIN LATERAL (
    SELECT r.number FROM zone_revisions AS r
    WHERE r.zone_id = ${zone} AND r.number <= ending.number AND r.number >= (
      SELECT max(f.number) FROM zone_revisions AS f
      WHERE f.zone_id = ${zone} AND f.number <= ending.number AND (f.snapshot IS NOT NULL OR f.contents_from IS NOT NULL)
    )
  ) AS part ON true
)
SELECT r.number || '.' || r.xmin::text AS "version", r.bytes
FROM trail JOIN zone_revisions AS r ON r.zone_id = ${zone} AND r.number = trail.number
ORDER BY r.number
