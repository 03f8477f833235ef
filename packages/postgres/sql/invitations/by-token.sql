SELECT id, organization_id AS "organizationId", email, role, status,
  created_at AS "createdAt", expires_at AS "expiresAt", resends
FROM invitations
WHERE hash = ${hash} AND status = 'pending' AND expires_at > now()
