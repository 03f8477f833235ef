UPDATE invitations SET status = 'revoked' WHERE id = ${id} AND status = 'pending' AND expires_at > now()
