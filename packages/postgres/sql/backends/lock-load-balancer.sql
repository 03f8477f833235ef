SELECT id FROM load_balancers WHERE id = ${id} AND organization_id = ${organization} FOR KEY SHARE
