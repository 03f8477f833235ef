-- Locks that grow. `expire` is a moment of the clock of this server from now on, no longer of the instances'.
ALTER TABLE rate_limits
  -- Locks since the last success: each lasts longer than the one before.
  ADD COLUMN locks integer NOT NULL DEFAULT 0,
  -- While a lock lasts: the end of the window that it took the place of. Then `expire` is the end of the lock.
  ADD COLUMN window_end bigint;
