UPDATE invitations SET status = 'revoked'
WHERE organization_id = ${organization} AND invited_by = ${invitedBy} AND role = ANY (${roles})
  AND status = 'pending' AND expires_at > now()
RETURNING id
