SELECT id, organization_id AS "organizationId", email, role,
  CASE WHEN status = 'pending' AND expires_at <= now() THEN 'expired' ELSE status END AS "status",
  created_at AS "createdAt", expires_at AS "expiresAt", resends
FROM invitations
WHERE organization_id = ${organization}
ORDER BY created_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
