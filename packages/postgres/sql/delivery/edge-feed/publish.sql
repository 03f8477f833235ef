-- Gives each zone the next position; edges of the main stage are offered it as well, or later.
WITH entry AS (
  SELECT e.*, row_number() OVER (ORDER BY e.id) AS number
  FROM json_to_recordset(${zones}::json) AS e (id uuid, tag text, "organizationId" integer, revision integer, digest text,
    hostnames text[], "isForAll" boolean)
), replaced AS (
  -- Kept for a while from now on, for edges that are about to read them.
  UPDATE edge_documents AS d SET published_at = statement_timestamp()
  FROM entry AS e JOIN edge_zones AS z ON z.zone_id = e.id
  WHERE d.digest = z.digest AND z.digest IS DISTINCT FROM e.digest
), latest AS (
  SELECT last_position FROM edge_publications ORDER BY id DESC LIMIT 1
), publication AS (
  INSERT INTO edge_publications (last_position)
  SELECT l.last_position + (SELECT count(*) FROM entry) FROM latest AS l WHERE EXISTS (SELECT FROM entry)
)
INSERT INTO edge_zones (zone_id, stage, position, digest, revision, hostnames, organization_id, tag, former_tags, is_pending,
  published_at)
SELECT e.id, s.stage, l.last_position + e.number, e.digest, e.revision, e.hostnames, e."organizationId", e.tag, ARRAY[e.tag],
  s.stage = 'canary' AND NOT e."isForAll", statement_timestamp()
FROM latest AS l CROSS JOIN entry AS e CROSS JOIN unnest(ARRAY['canary', 'main']) AS s (stage)
WHERE s.stage = 'canary' OR e."isForAll"
-- Whoever locks several rows does so in this order.
ORDER BY e.id, s.stage
ON CONFLICT (zone_id, stage) DO UPDATE SET position = EXCLUDED.position, digest = EXCLUDED.digest, revision = EXCLUDED.revision,
  hostnames = EXCLUDED.hostnames, organization_id = EXCLUDED.organization_id, tag = EXCLUDED.tag,
  former_tags = ARRAY(SELECT unnest(edge_zones.former_tags) UNION SELECT EXCLUDED.tag), is_pending = EXCLUDED.is_pending,
  is_halted = false, published_at = EXCLUDED.published_at, applied_at = NULL
