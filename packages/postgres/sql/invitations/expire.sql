-- An invitation that ran out makes room for the next one.
UPDATE invitations SET status = 'expired'
WHERE organization_id = ${organizationId} AND email_key = ${emailKey} AND status = 'pending' AND expires_at <= now()
