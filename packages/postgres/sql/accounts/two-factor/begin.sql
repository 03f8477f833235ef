INSERT INTO two_factor (user_id, state, secret, pending_expires_at)
VALUES (${user}, 'pending', ${secret}, now() + make_interval(secs => ${lifetimeSeconds}))
ON CONFLICT (user_id) DO UPDATE
SET secret = excluded.secret, pending_expires_at = excluded.pending_expires_at, last_step = NULL, created_at = now()
WHERE two_factor.state = 'pending'
RETURNING user_id
