SELECT answer FROM idempotency_keys
WHERE scope = ${scope} AND key = ${key} AND answer IS NOT NULL AND created_at >= now() - make_interval(secs => ${lifetimeSeconds})
