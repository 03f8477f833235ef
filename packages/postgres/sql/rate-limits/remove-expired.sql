-- Locks are kept for a while: without a success, the next one lasts longer. Rows whose window restarts concurrently are
-- skipped or kept.
DELETE FROM rate_limits
WHERE key IN (
  SELECT key FROM rate_limits
  WHERE expire < extract(epoch FROM now() - CASE WHEN locks > 0 THEN interval '30 days' ELSE interval '0' END) * 1000
  LIMIT 100 FOR UPDATE SKIP LOCKED
)
