-- Of concurrent uses of one token, one finds it.
UPDATE edges SET token_hash = NULL, key_hash = ${key}, enrolled_at = now()
WHERE token_hash = ${token} AND token_expires_at > now()
RETURNING id, name
