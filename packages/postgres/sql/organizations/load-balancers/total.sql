SELECT count(*)::int AS "total" FROM load_balancers WHERE organization_id = ${organization}
