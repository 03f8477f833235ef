-- What the state of a revision is made of, from the latest snapshot or reference on; without texts if they are larger
-- than asked for.
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
SELECT r.number, r.bytes, r.contents_from AS "contentsFrom", r.rest_from AS "restFrom",
  CASE WHEN sum(r.bytes) OVER () <= ${maxBytes} THEN r.patch::text END AS "patch",
  CASE WHEN sum(r.bytes) OVER () <= ${maxBytes} THEN r.snapshot::text END AS "snapshot",
  CASE WHEN sum(r.bytes) OVER () <= ${maxBytes} THEN r.adjustment::text END AS "adjustment"
FROM trail JOIN zone_revisions AS r ON r.zone_id = ${zone} AND r.number = trail.number
ORDER BY r.number
