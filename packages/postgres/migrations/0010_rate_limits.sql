-- Rate limit counters. rate-limiter-flexible inserts rows without naming columns, so their order is part of its
-- contract. UNLOGGED: every request writes here and would otherwise wait for the disk. Counters survive a clean
-- restart; after a crash all windows start over.
CREATE UNLOGGED TABLE rate_limits (
  -- HMAC-SHA-256, hex.
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  -- End of the window, in milliseconds since 1970 by the clock of the instance that started it.
  expire bigint
) WITH (fillfactor = 70);
CREATE INDEX rate_limits_expire ON rate_limits (expire);
