SELECT count(*)::int AS "total" FROM memberships WHERE organization_id = ${organization}
