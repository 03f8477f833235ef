-- Changes that are not confirmed yet are later than all confirmed ones.
UPDATE address_changes SET undone_at = now()
WHERE user_id = ${user} AND undone_at IS NULL AND (created_at >= ${since} OR confirmed_at IS NULL AND confirm_until > now())
