DELETE FROM idempotency_keys WHERE (scope, key) IN (
  SELECT scope, key FROM idempotency_keys WHERE created_at < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch} FOR UPDATE SKIP LOCKED
) RETURNING key
