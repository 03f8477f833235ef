-- Deleted backends that no zone revision names, directly or through a load balancer.
DELETE FROM backend_revisions WHERE backend_id IN (
  SELECT backend_id FROM backend_revisions AS r
  WHERE state IS NULL AND NOT EXISTS (SELECT FROM zone_backends AS n WHERE n.backend_id = r.backend_id)
  LIMIT ${batch}
) RETURNING backend_id
