-- Counters of the rate limits. rate-limiter-flexible inserts rows without naming columns: their order is part of its contract.
-- UNLOGGED: every request writes here, and without it every one would wait for the disk. Counters survive a restart of the
-- server; after a crash all windows begin anew.
CREATE UNLOGGED TABLE rate_limits (
  -- HMAC-SHA-256, hex.
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  -- End of the window, in milliseconds since 1970 by the clock of the instance that began it.
  expire bigint
) WITH (fillfactor = 70);
CREATE INDEX rate_limits_expire ON rate_limits (expire);
