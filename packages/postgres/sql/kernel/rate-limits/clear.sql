DELETE FROM rate_limits WHERE key = ${key}
