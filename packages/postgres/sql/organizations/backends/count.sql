SELECT (SELECT count(*) FROM origin_servers WHERE organization_id = ${organization})::int
  + (SELECT count(*) FROM load_balancers WHERE organization_id = ${organization})::int AS "total"
