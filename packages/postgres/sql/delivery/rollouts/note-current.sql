-- Notes since when all connected edges have had what they are offered. What others are changing is left for the next time.
WITH spreading AS (
  SELECT zone_id, stage, position, tag, organization_id FROM edge_zones
  WHERE current_since IS NULL OR current_since < published_at
  ORDER BY position LIMIT ${limit} FOR UPDATE SKIP LOCKED
), connected AS (
  -- Many edges have few scopes.
  SELECT e.stage, e.tags, e.organizations, min(coalesce(s.position, -1)) AS applied
  FROM edges AS e JOIN edge_states AS s ON s.edge_id = e.id
  WHERE NOT e.is_draining AND s.reported_at > now() - make_interval(secs => ${silentAfterSeconds})
  GROUP BY e.stage, e.tags, e.organizations
)
UPDATE edge_zones AS z SET current_since = statement_timestamp()
FROM spreading AS s
WHERE z.zone_id = s.zone_id AND z.stage = s.stage AND NOT EXISTS (
  SELECT FROM connected AS c
  WHERE c.stage = s.stage AND c.applied < s.position AND (cardinality(c.tags) = 0 OR s.tag = ANY (c.tags))
    AND (cardinality(c.organizations) = 0 OR s.organization_id = ANY (c.organizations))
)
