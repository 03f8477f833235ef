-- The zones of the oldest marks, with what canary edges are offered.
WITH oldest AS (
  SELECT id, zone_id FROM zone_publications_due ORDER BY id LIMIT ${marks}
), due AS (
  SELECT zone_id, array_agg(id::text) AS marks FROM oldest GROUP BY zone_id ORDER BY min(id) LIMIT ${zones}
)
SELECT d.zone_id AS id, d.marks, z.digest, z.tag, z.organization_id AS "organizationId"
FROM due AS d LEFT JOIN edge_zones AS z ON z.zone_id = d.zone_id AND z.stage = 'canary'
