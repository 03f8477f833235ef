SELECT id, name, prefix, read_only AS "readOnly", organizations, permissions, zones, networks, expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt", last_used_network AS "lastUsedNetwork",
  revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AS "active", created_at AS "createdAt"
FROM api_tokens
WHERE user_id = ${user}
ORDER BY created_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
