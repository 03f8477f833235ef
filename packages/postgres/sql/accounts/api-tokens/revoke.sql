UPDATE api_tokens SET revoked_at = now() WHERE id = ${id} AND user_id = ${user} AND revoked_at IS NULL
RETURNING id
