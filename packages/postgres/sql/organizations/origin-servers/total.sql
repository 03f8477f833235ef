SELECT count(*)::int AS "total" FROM origin_servers WHERE organization_id = ${organization}
