-- A point for each key, or none when a budget is seen to be spent: a blocked caller writes nothing. Of calls that meet at
-- the last point all may write; their rows tell which of them went beyond the budget. Rows are written in the order of
-- their keys, so that calls with several keys in common wait for each other and never deadlock.
WITH clock AS (
  SELECT (extract(epoch FROM now()) * 1000)::bigint AS ms
), asked AS (
  SELECT key, budget, length FROM unnest(${keys}::text[], ${budgets}::bigint[], ${lengths}::bigint[]) AS a (key, budget, length)
), found AS (
  SELECT a.key, a.budget, coalesce(r.points, 0) AS points, coalesce(r.expire, clock.ms + a.length) AS expire, r.window_end
  FROM clock CROSS JOIN asked AS a LEFT JOIN rate_limits AS r ON r.key = a.key AND r.expire > clock.ms
), taken AS (
  INSERT INTO rate_limits AS r (key, points, expire)
  SELECT key, 1, clock.ms + length FROM asked CROSS JOIN clock
  WHERE NOT EXISTS (SELECT FROM found WHERE points >= budget)
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN r.expire > (SELECT ms FROM clock) THEN r.points + excluded.points ELSE excluded.points END,
    expire = CASE WHEN r.expire > (SELECT ms FROM clock) THEN r.expire ELSE excluded.expire END,
    window_end = CASE WHEN r.expire > (SELECT ms FROM clock) THEN r.window_end END
  RETURNING r.key, r.points, r.expire, r.window_end
)
SELECT key, points, expire, window_end AS "windowEnd", true AS "isTaken", clock.ms AS "now" FROM taken CROSS JOIN clock
UNION ALL
SELECT key, points, expire, window_end, false, clock.ms FROM found CROSS JOIN clock
WHERE NOT EXISTS (SELECT FROM taken)
