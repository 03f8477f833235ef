SELECT id, provider, email, created_at AS "connectedAt", last_used_at AS "lastUsedAt"
FROM provider_identities
WHERE user_id = ${user}
ORDER BY provider COLLATE "C"
