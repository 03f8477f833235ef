-- Each lock lasts twice as long as the one before. Only one of those who find the budget spent begins it, so that a try
-- while it lasts does not make it longer.
UPDATE rate_limits SET
  locks = locks + 1,
  window_end = expire,
  expire = (extract(epoch FROM now()) * 1000)::bigint + least(${seconds}::bigint * 2 ^ least(locks, 20), ${maxSeconds})::bigint * 1000
WHERE key = ${key} AND points >= ${points} AND window_end IS NULL
RETURNING expire, (extract(epoch FROM now()) * 1000)::bigint AS "now"
