-- The zones of the oldest marks, with what canary edges are offered; of those with host names only some, because each of
-- them has to be read.
WITH oldest AS (
  SELECT id, zone_id FROM zone_publications_due ORDER BY id LIMIT ${marks}
), due AS (
  SELECT zone_id, array_agg(id::text) AS marks, min(id) AS first FROM oldest GROUP BY zone_id
), counted AS (
  SELECT d.zone_id, d.marks, coalesce(cardinality(z.hostnames) > 0, false) AS is_named,
    count(*) FILTER (WHERE cardinality(z.hostnames) > 0) OVER (ORDER BY d.first) AS named
  FROM due AS d LEFT JOIN zones AS z ON z.id = d.zone_id
)
SELECT c.zone_id AS id, c.marks, c.is_named AS "isNamed", p.digest, p.tag, p.organization_id AS "organizationId"
FROM counted AS c LEFT JOIN edge_zones AS p ON p.zone_id = c.zone_id AND p.stage = 'canary'
WHERE c.named <= ${zones}
