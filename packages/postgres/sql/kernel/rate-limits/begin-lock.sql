-- Each lock lasts twice as long as the previous one. Only one of the calls that find the budget exceeded starts it, so
-- attempts during a lock do not prolong it.
UPDATE rate_limits SET
  locks = locks + 1,
  window_end = expire,
  expire = (extract(epoch FROM now()) * 1000)::bigint + least(${seconds}::bigint * 2 ^ least(locks, ${maxDoublings}), ${maxSeconds})::bigint * 1000
WHERE key = ${key} AND points >= ${points} AND window_end IS NULL
RETURNING expire, (extract(epoch FROM now()) * 1000)::bigint AS "now"
