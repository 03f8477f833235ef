UPDATE two_factor SET state = 'enabled', pending_expires_at = NULL, enrolled_by_confirmed = ${confirmed}
WHERE user_id = ${user} AND state = 'pending' AND pending_expires_at > now()
RETURNING user_id
