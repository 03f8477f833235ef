SELECT answer FROM idempotency_keys WHERE scope = ${scope} AND key = ${key}
