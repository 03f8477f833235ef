-- The points wanted for each key, one where little is left of a budget, or none when one is seen to be spent: a blocked
-- caller writes nothing. Of calls that meet at the last points all may write; their rows say what went beyond the budget. Rows are written in the order of
-- their keys, so that calls with several keys in common wait for each other and never deadlock.
WITH clock AS (
  SELECT (extract(epoch FROM now()) * 1000)::bigint AS ms
), asked AS (
  SELECT key, budget, length FROM unnest(${keys}::text[], ${budgets}::bigint[], ${lengths}::bigint[]) AS a (key, budget, length)
), found AS (
  SELECT a.key, a.budget, coalesce(r.points, 0) AS points, coalesce(r.expire, clock.ms + a.length) AS expire, r.window_end
  FROM clock CROSS JOIN asked AS a LEFT JOIN rate_limits AS r ON r.key = a.key AND r.expire > clock.ms
), size AS (
  SELECT CASE WHEN min(budget - points) < ${reserve}::int THEN 1 ELSE ${wanted}::int END AS points FROM found
), taken AS (
  INSERT INTO rate_limits AS r (key, points, expire)
  SELECT key, size.points, clock.ms + length FROM asked CROSS JOIN clock CROSS JOIN size
  WHERE NOT EXISTS (SELECT FROM found WHERE points >= budget)
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN r.expire > (SELECT ms FROM clock) THEN r.points + excluded.points ELSE excluded.points END,
    expire = CASE WHEN r.expire > (SELECT ms FROM clock) THEN r.expire ELSE excluded.expire END,
    window_end = CASE WHEN r.expire > (SELECT ms FROM clock) THEN r.window_end END
  RETURNING r.key, r.points, r.expire, r.window_end
)
SELECT key, taken.points, expire, window_end AS "windowEnd", size.points AS "taken", clock.ms AS "now"
FROM taken CROSS JOIN clock CROSS JOIN size
UNION ALL
SELECT key, points, expire, window_end, 0, clock.ms FROM found CROSS JOIN clock
WHERE NOT EXISTS (SELECT FROM taken)
