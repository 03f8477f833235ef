-- Growing lock durations. From now on `expire` uses this server's clock instead of the instances'.
ALTER TABLE rate_limits
  -- Locks since the last success: each lasts longer than the previous one.
  ADD COLUMN locks integer NOT NULL DEFAULT 0,
  -- During a lock, `expire` is the end of the lock, and this is the end of the window it replaced.
  ADD COLUMN window_end bigint;
