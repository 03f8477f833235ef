-- Zones that use the load balancer now use these origin servers too.
WITH named AS (
  INSERT INTO zone_backends (backend_id, zone_id)
  SELECT origin_server_id, zone_id FROM zone_backends, unnest(${originServers}::uuid[]) AS origin_server_id
  WHERE backend_id = ${id}
  ON CONFLICT DO NOTHING
)
INSERT INTO load_balancer_origins (load_balancer_id, organization_id, position, origin_server_id, weight, enabled)
SELECT ${id}, ${organizationId}, position, origin_server_id, weight, enabled
FROM unnest(${originServers}::uuid[], ${weights}::int[], ${enabled}::boolean[])
  WITH ORDINALITY AS origin (origin_server_id, weight, enabled, position)
