UPDATE two_factor SET last_step = ${step} WHERE user_id = ${user} AND (last_step IS NULL OR last_step < ${step})
RETURNING user_id
