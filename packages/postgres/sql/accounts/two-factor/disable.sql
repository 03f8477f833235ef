WITH codes AS (DELETE FROM recovery_codes WHERE user_id = ${user})
DELETE FROM two_factor WHERE user_id = ${user}
