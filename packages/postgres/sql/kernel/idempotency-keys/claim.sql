-- Waits for a concurrent request with the same key. No row: the key is used; its row stays locked until the end of the
-- transaction.
INSERT INTO idempotency_keys AS k (scope, key) VALUES (${scope}, ${key})
ON CONFLICT (scope, key) DO UPDATE SET answer = NULL, created_at = now()
  WHERE k.created_at < now() - make_interval(secs => ${lifetimeSeconds})
RETURNING k.key
