UPDATE api_tokens SET revoked_at = now()
WHERE user_id = ${user} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
RETURNING id
