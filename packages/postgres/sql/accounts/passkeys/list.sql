SELECT id, credential_id AS "credentialId", name, transports, backed_up AS "backedUp", created_at AS "createdAt",
  last_used_at AS "lastUsedAt"
FROM passkeys
WHERE user_id = ${user}
ORDER BY created_at, id
LIMIT ${limit} OFFSET ${offset}
