-- In id order, like all units that lock several.
SELECT id FROM load_balancers
WHERE id IN (SELECT load_balancer_id FROM load_balancer_origins WHERE origin_server_id = ${originServer})
ORDER BY id
FOR UPDATE
