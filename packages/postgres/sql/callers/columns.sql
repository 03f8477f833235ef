a.user_id AS "userId", a.credential_id AS "credentialId", a.read_only AS "readOnly", a.scope IS NOT NULL AS "scoped", a.unnoted
