WITH locked AS (
  SELECT zone_id FROM edge_zones
  WHERE stage = 'canary' AND is_pending AND zone_id = ANY (${zones}::uuid[]) ORDER BY zone_id FOR UPDATE
), chosen AS (
  UPDATE edge_zones AS z SET is_pending = false, is_halted = false
  FROM locked AS l WHERE z.zone_id = l.zone_id AND z.stage = 'canary'
  RETURNING z.zone_id, z.position, z.digest, z.revision, z.hostnames, z.organization_id, z.tag
), replaced AS (
  -- As when zones are published.
  UPDATE edge_documents AS d SET published_at = statement_timestamp()
  FROM chosen AS c JOIN edge_zones AS z ON z.zone_id = c.zone_id AND z.stage = 'main'
  WHERE d.digest = z.digest AND z.digest IS DISTINCT FROM c.digest
), numbered AS (
  SELECT c.*, row_number() OVER (ORDER BY c.position) AS number FROM chosen AS c
), latest AS (
  SELECT last_position FROM edge_publications ORDER BY id DESC LIMIT 1
), publication AS (
  INSERT INTO edge_publications (last_position)
  SELECT l.last_position + (SELECT count(*) FROM numbered) FROM latest AS l WHERE EXISTS (SELECT FROM numbered)
)
INSERT INTO edge_zones (zone_id, stage, position, digest, revision, hostnames, organization_id, tag, former_tags, published_at)
SELECT n.zone_id, 'main', l.last_position + n.number, n.digest, n.revision, n.hostnames, n.organization_id, n.tag, ARRAY[n.tag],
  statement_timestamp()
FROM latest AS l CROSS JOIN numbered AS n
ON CONFLICT (zone_id, stage) DO UPDATE SET position = EXCLUDED.position, digest = EXCLUDED.digest, revision = EXCLUDED.revision,
  hostnames = EXCLUDED.hostnames, organization_id = EXCLUDED.organization_id, tag = EXCLUDED.tag,
  former_tags = ARRAY(SELECT unnest(edge_zones.former_tags) UNION SELECT EXCLUDED.tag), published_at = EXCLUDED.published_at
