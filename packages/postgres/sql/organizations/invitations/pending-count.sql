SELECT count(*)::int AS "count" FROM invitations
WHERE organization_id = ${organization} AND status = 'pending' AND expires_at > now()
