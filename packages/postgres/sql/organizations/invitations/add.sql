INSERT INTO invitations (id, organization_id, email, email_key, role, invited_by, hash, expires_at)
VALUES (${id}, ${organizationId}, ${email}, ${emailKey}, ${role}, ${invitedBy}, ${hash},
  now() + make_interval(secs => ${lifetimeSeconds}))
ON CONFLICT (organization_id, email_key) WHERE status = 'pending' DO NOTHING
RETURNING id, organization_id AS "organizationId", email, role,
  CASE WHEN status = 'pending' AND expires_at <= now() THEN 'expired' ELSE status END AS "status",
  created_at AS "createdAt", expires_at AS "expiresAt", resends
