DELETE FROM load_balancer_origins WHERE load_balancer_id = ${id}
