-- A minute of grace, for instances whose clocks are behind. A row whose window begins anew meanwhile is skipped or kept.
DELETE FROM rate_limits
WHERE key IN (
  SELECT key FROM rate_limits WHERE expire < extract(epoch FROM now()) * 1000 - 60000
  LIMIT 100 FOR UPDATE SKIP LOCKED
)
