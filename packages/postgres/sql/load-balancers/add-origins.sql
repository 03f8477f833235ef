INSERT INTO load_balancer_origins (load_balancer_id, organization_id, position, origin_server_id, weight, enabled)
SELECT ${id}, ${organizationId}, position, origin_server_id, weight, enabled
FROM unnest(${originServers}::uuid[], ${weights}::int[], ${enabled}::boolean[])
  WITH ORDINALITY AS origin (origin_server_id, weight, enabled, position)
