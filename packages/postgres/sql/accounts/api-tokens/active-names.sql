SELECT name FROM api_tokens
WHERE user_id = ${user} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
ORDER BY created_at DESC, id DESC
