SELECT state, secret FROM two_factor WHERE user_id = ${user} AND (state = 'enabled' OR pending_expires_at > now())
