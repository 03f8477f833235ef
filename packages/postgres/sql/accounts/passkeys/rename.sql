UPDATE passkeys SET name = coalesce(${name}::text, name) WHERE id = ${id} AND user_id = ${user}
RETURNING id, credential_id AS "credentialId", name, transports, backed_up AS "backedUp", created_at AS "createdAt",
  last_used_at AS "lastUsedAt"
