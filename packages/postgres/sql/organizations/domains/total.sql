SELECT count(*)::int AS "total" FROM domains WHERE organization_id = ${organization}
