WITH renewed AS (
  UPDATE users SET credentials_version = credentials_version + 1 WHERE id = ${id} RETURNING id, credentials_version
)
UPDATE mailed_tokens AS t SET credentials_version = renewed.credentials_version
FROM renewed
WHERE ${keepsResets} AND t.user_id = renewed.id AND t.purpose = 'reset-password' AND t.used_at IS NULL
  AND t.credentials_version = renewed.credentials_version - 1
