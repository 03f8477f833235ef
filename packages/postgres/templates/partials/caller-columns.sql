c.user_id AS "userId", c.id AS "credentialId", c.read_only AS "readOnly", c.scope IS NOT NULL AS "scoped", c.unnoted
