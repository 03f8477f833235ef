UPDATE invitations SET status = 'accepted' WHERE hash = ${hash} AND status = 'pending' AND expires_at > now()
RETURNING id
