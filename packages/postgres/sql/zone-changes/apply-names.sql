named AS (
  INSERT INTO zone_backends (backend_id, zone_id)
  SELECT backend_id, head.id FROM head, unnest(${originServers}::uuid[] || ${loadBalancers}::uuid[]) AS backend_id
  ON CONFLICT DO NOTHING
), 
