-- Backends that are deleted, and that no revision of a zone names, directly or behind a load balancer.
DELETE FROM backend_revisions WHERE backend_id IN (
  SELECT backend_id FROM backend_revisions AS r
  WHERE state IS NULL AND NOT EXISTS (SELECT FROM zone_backends AS n WHERE n.backend_id = r.backend_id)
  LIMIT 100
) RETURNING backend_id
