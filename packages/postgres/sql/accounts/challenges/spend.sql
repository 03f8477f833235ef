UPDATE challenges SET spent_at = now() WHERE hash = ${hash} AND spent_at IS NULL AND expires_at > now()
RETURNING hash
