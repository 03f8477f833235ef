-- Notes since when all connected edges have had what they are offered. What others are changing is left for the next time.
WITH spreading AS (
  SELECT zone_id, stage, position, tag, organization_id FROM edge_zones
  WHERE current_since IS NULL OR current_since < published_at
  ORDER BY position LIMIT ${limit} FOR UPDATE SKIP LOCKED
)
UPDATE edge_zones AS z SET current_since = statement_timestamp()
FROM spreading AS s
WHERE z.zone_id = s.zone_id AND z.stage = s.stage AND NOT EXISTS (
  SELECT FROM edges AS e JOIN edge_states AS r ON r.edge_id = e.id
  WHERE e.stage = s.stage AND NOT e.is_draining AND r.reported_at > now() - make_interval(secs => ${silentAfterSeconds})
    AND coalesce(r.position, -1) < s.position AND (cardinality(e.tags) = 0 OR s.tag = ANY (e.tags))
    AND (cardinality(e.organizations) = 0 OR s.organization_id = ANY (e.organizations))
)
