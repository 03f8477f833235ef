SELECT count(*)::int AS "total" FROM memberships WHERE organization_id = ${id} AND role = 'owner'
