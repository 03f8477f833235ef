UPDATE idempotency_keys SET answer = ${answer} WHERE scope = ${scope} AND key = ${key}
