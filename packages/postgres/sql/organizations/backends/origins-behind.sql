SELECT o.load_balancer_id AS "loadBalancer", s.address_key AS "addressKey", o.enabled
FROM load_balancer_origins AS o JOIN origin_servers AS s ON s.id = o.origin_server_id
WHERE o.load_balancer_id = ANY (${ids}::uuid[])
ORDER BY o.load_balancer_id, o.position
