INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name, transports, backed_up)
VALUES (${id}, ${userId}, ${credentialId}, ${publicKey}, ${counter}, ${name}, ${transports}, ${backedUp})
ON CONFLICT (credential_id) DO NOTHING
RETURNING id, credential_id AS "credentialId", name, transports, backed_up AS "backedUp", created_at AS "createdAt",
  last_used_at AS "lastUsedAt"
