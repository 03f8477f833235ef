-- Replaces the report of an edge, unless another process has reported with its key within the claim, other than an earlier one
-- with the same state. It is noted when a
-- canary edge has applied a pending change, and a change that it rejects is halted, of zones in its scope only. A position of
-- another database counts as none.
WITH former AS (
  SELECT position FROM edge_states WHERE edge_id = ${edge}
), written AS (
  INSERT INTO edge_states (
    edge_id, started_at, state_id, reported_at, position, version, semantics, applied, rejected, purged, proxy, unsupported_settings
  )
  SELECT e.id, ${startedAt}, ${stateId}::uuid, now(), (
      SELECT ${number}::bigint FROM edge_publications
      WHERE id = ${publication}::bigint AND nonce = ${nonce}::uuid AND last_position >= ${number}::bigint
    ), ${version}, ${semantics}, ${applied}, ${rejected}::jsonb, ${purged}, ${proxy}::jsonb, ${unsupportedSettings}
  FROM edges AS e WHERE e.id = ${edge}
  ON CONFLICT (edge_id) DO UPDATE SET started_at = EXCLUDED.started_at, state_id = EXCLUDED.state_id,
    reported_at = EXCLUDED.reported_at,
    position = EXCLUDED.position, version = EXCLUDED.version, semantics = EXCLUDED.semantics, applied = EXCLUDED.applied,
    rejected = EXCLUDED.rejected, purged = EXCLUDED.purged, proxy = EXCLUDED.proxy,
    unsupported_settings = EXCLUDED.unsupported_settings
  WHERE edge_states.started_at = EXCLUDED.started_at
    OR edge_states.state_id = EXCLUDED.state_id AND edge_states.started_at < EXCLUDED.started_at
    OR edge_states.reported_at <= EXCLUDED.reported_at - make_interval(secs => ${claimSeconds})
  RETURNING edge_id, position
), canary AS (
  SELECT e.tags, e.organizations, w.position, coalesce((SELECT position FROM former), -1) AS former
  FROM written AS w JOIN edges AS e ON e.id = w.edge_id AND e.stage = 'canary'
), rejected AS (
  SELECT id, digest FROM jsonb_to_recordset(${rejected}::jsonb) AS r (id uuid, digest text)
), concerned AS (
  -- By indexes, because most reports concern few zones.
  SELECT z.zone_id, z.position FROM canary AS c JOIN edge_zones AS z
    ON z.is_pending AND z.position > c.former AND z.position <= c.position
  UNION
  SELECT z.zone_id, z.position FROM canary AS c CROSS JOIN rejected AS r JOIN edge_zones AS z
    ON z.zone_id = r.id AND z.stage = 'canary' AND z.digest = r.digest AND NOT z.is_halted
), locked AS (
  SELECT z.zone_id, z.position <= c.position AND z.position > c.former AS is_applied,
    EXISTS (SELECT FROM rejected AS r WHERE r.id = z.zone_id AND r.digest = z.digest) AS is_rejected
  FROM canary AS c CROSS JOIN concerned AS n JOIN edge_zones AS z
    ON z.zone_id = n.zone_id AND z.position = n.position AND z.stage = 'canary'
  WHERE (cardinality(c.tags) = 0 OR z.tag = ANY (c.tags))
    AND (cardinality(c.organizations) = 0 OR z.organization_id = ANY (c.organizations))
  ORDER BY z.zone_id FOR UPDATE OF z
), noted AS (
  UPDATE edge_zones AS z SET is_halted = z.is_halted OR l.is_rejected,
    applied_at = CASE WHEN l.is_applied THEN now() ELSE z.applied_at END
  FROM locked AS l WHERE z.zone_id = l.zone_id AND z.stage = 'canary'
)
SELECT edge_id AS "edge" FROM written
