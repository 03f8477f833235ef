-- Takes the requested points of each budget, one if little is left, or none if any is already exceeded: a blocked
-- caller writes nothing. Points owed for work that has been done are added. Concurrent calls may all write the last points; the returned rows show what exceeds the
-- budget. Rows are written in key order, so that calls with several common keys wait instead of deadlocking.
WITH clock AS (
  SELECT (extract(epoch FROM now()) * 1000)::bigint AS ms
), requested AS (
  SELECT key, budget, length FROM unnest(${keys}::text[], ${budgets}::bigint[], ${lengths}::bigint[]) AS a (key, budget, length)
), found AS (
  SELECT a.key, a.budget, coalesce(r.points, 0) AS points, coalesce(r.expire, clock.ms + a.length) AS expire, r.window_end
  FROM clock CROSS JOIN requested AS a LEFT JOIN rate_limits AS r ON r.key = a.key AND r.expire > clock.ms
), size AS (
  SELECT CASE WHEN min(budget - points) < ${reserve}::int THEN least(1, ${requested}::int) ELSE ${requested}::int END + ${owed}::int AS points
  FROM found
), taken AS (
  INSERT INTO rate_limits AS r (key, points, expire)
  SELECT key, size.points, clock.ms + length FROM requested CROSS JOIN clock CROSS JOIN size
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
