-- An expired invitation frees its slot.
UPDATE invitations SET status = 'expired'
WHERE organization_id = ${organizationId} AND email_key = ${emailKey} AND status = 'pending' AND expires_at <= now()
