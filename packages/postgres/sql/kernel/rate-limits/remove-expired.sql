-- Locks are kept for a while: without a success, the next one lasts longer. Rows whose window restarts concurrently are
-- skipped or kept.
DELETE FROM rate_limits
WHERE key IN (
  SELECT key FROM rate_limits
  WHERE expire < extract(epoch FROM now() - make_interval(secs => CASE WHEN locks > 0 THEN ${lockMemorySeconds} ELSE 0 END)) * 1000
  LIMIT ${batch} FOR UPDATE SKIP LOCKED
)
