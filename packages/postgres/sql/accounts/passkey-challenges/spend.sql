DELETE FROM passkey_challenges WHERE hash = ${hash} AND expires_at > now()
RETURNING hash
