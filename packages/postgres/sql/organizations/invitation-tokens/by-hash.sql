SELECT id, organization_id AS "organizationId", email, role,
  CASE WHEN status = 'pending' AND expires_at <= now() THEN 'expired' ELSE status END AS "status",
  created_at AS "createdAt", expires_at AS "expiresAt", resends, invited_by AS "invitedBy"
FROM invitations
WHERE hash = ${hash} AND status = 'pending' AND expires_at > now() AND invited_by IS NOT NULL
