SELECT count(*)::int AS "total" FROM invitations WHERE organization_id = ${organization}
