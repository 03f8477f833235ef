UPDATE two_factor SET secret = ${secret} WHERE user_id = ${user}
