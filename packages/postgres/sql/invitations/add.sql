INSERT INTO invitations (id, organization_id, email, email_key, role, invited_by, hash, expires_at)
VALUES (${id}, ${organizationId}, ${email}, ${emailKey}, ${role}, ${invitedBy}, ${hash},
  now() + make_interval(secs => ${lifetimeSeconds}))
ON CONFLICT (organization_id, email_key) WHERE status = 'pending' DO NOTHING
RETURNING /*part invitations/columns*/
