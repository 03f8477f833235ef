-- All edges, or the one with a name, with their last reports.
SELECT e.id, e.name, e.tags, e.organizations, e.stage, e.is_draining AS "isDraining", e.created_at AS "createdAt",
  e.enrolled_at AS "enrolledAt", s.started_at AS "startedAt", s.reported_at AS "reportedAt",
  extract(epoch FROM now() - s.reported_at)::float8 AS "secondsAgo", s.position::float8, s.version, s.semantics, s.applied,
  s.rejected, s.purged::float8, s.proxy, s.unsupported_settings AS "unsupportedSettings"
FROM edges AS e LEFT JOIN edge_states AS s ON s.edge_id = e.id
WHERE ${name}::text IS NULL OR e.name = ${name}
ORDER BY e.name
