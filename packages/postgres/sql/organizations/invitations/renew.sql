UPDATE invitations
SET hash = ${hash}, expires_at = now() + make_interval(secs => ${lifetimeSeconds}), resends = resends + 1,
  invited_by = ${invitedBy}
WHERE id = ${id} AND status = 'pending' AND expires_at > now()
RETURNING id, organization_id AS "organizationId", email, role,
  CASE WHEN status = 'pending' AND expires_at <= now() THEN 'expired' ELSE status END AS "status",
  created_at AS "createdAt", expires_at AS "expiresAt", resends
