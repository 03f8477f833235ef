UPDATE recovery_codes SET used_at = now() WHERE user_id = ${user} AND hash = ANY (${candidates}) AND used_at IS NULL
RETURNING hash
