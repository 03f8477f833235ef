UPDATE address_changes SET confirm_until = now()
WHERE user_id = ${user} AND confirmed_at IS NULL AND confirm_until > now()
