-- Waits for a request that uses the key at this moment. No row: the key is used; its row is locked and stays until the
-- end.
INSERT INTO idempotency_keys AS k (scope, key) VALUES (${scope}, ${key})
ON CONFLICT (scope, key) DO UPDATE SET answer = NULL, created_at = now()
  WHERE k.created_at < now() - interval '24 hours'
RETURNING k.key
