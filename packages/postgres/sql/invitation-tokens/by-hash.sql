SELECT /*part invitations/columns*/, invited_by AS "invitedBy"
FROM invitations
WHERE hash = ${hash} AND status = 'pending' AND expires_at > now() AND invited_by IS NOT NULL
