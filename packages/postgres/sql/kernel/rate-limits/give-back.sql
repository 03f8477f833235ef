-- A later window belongs to others: its points are not refunded. A lock started by a refunded point is removed. Rows
-- are locked in the same order as when taking.
WITH given AS (
  SELECT r.key, g.budget
  FROM rate_limits AS r
    JOIN unnest(${keys}::text[], ${budgets}::bigint[], ${windowEnds}::bigint[]) AS g (key, budget, window_end) ON g.key = r.key
  WHERE r.points > 0 AND coalesce(r.window_end, r.expire) <= g.window_end
  ORDER BY r.key
  FOR UPDATE OF r
)
UPDATE rate_limits AS r SET
  points = r.points - 1,
  locks = CASE WHEN r.window_end IS NOT NULL AND r.points <= given.budget THEN r.locks - 1 ELSE r.locks END,
  expire = CASE WHEN r.window_end IS NOT NULL AND r.points <= given.budget THEN r.window_end ELSE r.expire END,
  window_end = CASE WHEN r.points <= given.budget THEN NULL ELSE r.window_end END
FROM given WHERE r.key = given.key
