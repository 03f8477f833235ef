SELECT id, organization_id AS "organizationId", email, role, status,
  created_at AS "createdAt", expires_at AS "expiresAt", resends, invited_by AS "invitedBy"
FROM invitations
WHERE hash = ${hash} AND status = 'pending' AND expires_at > now() AND invited_by IS NOT NULL
