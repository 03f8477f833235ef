DELETE FROM idempotency_keys WHERE (scope, key) IN (
  SELECT scope, key FROM idempotency_keys WHERE created_at < now() - interval '24 hours' LIMIT 100 FOR UPDATE SKIP LOCKED
) RETURNING key
