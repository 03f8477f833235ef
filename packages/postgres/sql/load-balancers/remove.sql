DELETE FROM load_balancers WHERE id = ${id}
