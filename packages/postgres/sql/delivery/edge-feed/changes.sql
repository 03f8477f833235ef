-- What an edge has to know after a position, with the end of the feed: at least one row, without a zone if there is nothing.
-- Without a position that this database knows: everything that it serves. Removals before the oldest publication may be
-- forgotten; whoever reads a whole state needs none.
WITH latest AS (
  SELECT id, last_position, nonce FROM edge_publications ORDER BY id DESC LIMIT 1
), asked AS (
  SELECT EXISTS (
    SELECT FROM edge_publications
    WHERE id = ${publication}::bigint AND nonce = ${nonce}::uuid AND last_position >= ${number}::bigint
  ) AND (${isWhole} OR ${number}::bigint >= (SELECT last_position FROM edge_publications ORDER BY id LIMIT 1)) AS is_known
), changed AS (
  SELECT z.zone_id, z.position, z.revision, z.digest, z.hostnames, s.is_served
  FROM asked AS a CROSS JOIN edge_zones AS z CROSS JOIN LATERAL (
    SELECT z.digest IS NOT NULL AND (cardinality(${tags}::text[]) = 0 OR z.tag = ANY (${tags}::text[])) AS is_served
  ) AS s
  WHERE z.stage = ${stage} AND z.position > CASE WHEN a.is_known THEN ${number}::bigint ELSE -1 END
    AND (cardinality(${organizations}::int[]) = 0 OR z.organization_id = ANY (${organizations}::int[]))
    AND (s.is_served OR a.is_known AND (cardinality(${tags}::text[]) = 0 OR z.former_tags && ${tags}::text[]))
  ORDER BY z.position LIMIT ${limit}
)
SELECT a.is_known AS "isKnown", l.last_position::float8 AS "lastPosition", l.id::float8 AS publication, l.nonce,
  CASE WHEN EXISTS (SELECT FROM changed WHERE NOT is_served) THEN (
    SELECT count(*)::int FROM edge_zones AS z
    WHERE z.stage = ${stage} AND z.position <= ${number}::bigint AND z.digest IS NOT NULL
      AND (cardinality(${tags}::text[]) = 0 OR z.tag = ANY (${tags}::text[]))
      AND (cardinality(${organizations}::int[]) = 0 OR z.organization_id = ANY (${organizations}::int[]))
  ) ELSE 0 END AS unchanged,
  c.zone_id AS id, c.position::float8, c.revision, c.digest, c.hostnames, c.is_served AS "isServed"
FROM latest AS l CROSS JOIN asked AS a LEFT JOIN changed AS c ON true
ORDER BY c.position
