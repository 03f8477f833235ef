UPDATE invitations
SET hash = ${hash}, expires_at = now() + make_interval(secs => ${lifetimeSeconds}), resends = resends + 1,
  invited_by = ${invitedBy}
WHERE id = ${id} AND status = 'pending' AND expires_at > now()
RETURNING /*part invitations/columns*/
