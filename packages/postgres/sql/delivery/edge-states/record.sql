-- Replaces the report of an edge, unless another process has reported with its key within the claim. A change that a
-- canary edge rejects is halted. A position of another database counts as none.
WITH written AS (
  INSERT INTO edge_states (
    edge_id, started_at, reported_at, position, version, semantics, applied, rejected, purged, proxy, unsupported_settings
  )
  SELECT e.id, ${startedAt}, now(), (
      SELECT ${number}::bigint FROM edge_publications
      WHERE id = ${publication}::bigint AND nonce = ${nonce}::uuid AND last_position >= ${number}::bigint
    ), ${version}, ${semantics}, ${applied}, ${rejected}::jsonb, ${purged}, ${proxy}::jsonb, ${unsupportedSettings}
  FROM edges AS e WHERE e.id = ${edge}
  ON CONFLICT (edge_id) DO UPDATE SET started_at = EXCLUDED.started_at, reported_at = EXCLUDED.reported_at,
    position = EXCLUDED.position, version = EXCLUDED.version, semantics = EXCLUDED.semantics, applied = EXCLUDED.applied,
    rejected = EXCLUDED.rejected, purged = EXCLUDED.purged, proxy = EXCLUDED.proxy,
    unsupported_settings = EXCLUDED.unsupported_settings
  WHERE edge_states.started_at = EXCLUDED.started_at
    OR edge_states.reported_at <= EXCLUDED.reported_at - make_interval(secs => ${claimSeconds})
  RETURNING edge_id
), halted AS (
  UPDATE edge_zones AS z SET is_halted = true
  FROM written AS w JOIN edges AS e ON e.id = w.edge_id AND e.stage = 'canary',
    jsonb_to_recordset(${rejected}::jsonb) AS r (id uuid, digest text)
  WHERE z.zone_id = r.id AND z.stage = 'canary' AND z.digest = r.digest AND NOT z.is_halted
)
SELECT edge_id AS "edge" FROM written
