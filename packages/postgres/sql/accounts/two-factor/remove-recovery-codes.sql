DELETE FROM recovery_codes WHERE user_id = ${user}
