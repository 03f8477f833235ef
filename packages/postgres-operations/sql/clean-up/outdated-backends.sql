-- The outdated revisions among the next ones of a walk through all backends: those replaced before the beginning of the
-- retained history, or before that of its details, which keep the first and one at each snapshot interval. States that a kept zone
-- revision used are kept too: states and zone revisions are merged in order of time, and a state followed by a zone
-- revision is needed. Also returns backends deleted before the beginning.
WITH stretch AS MATERIALIZED (
  SELECT r.backend_id, r.number, r.created_at, r.is_deletion, next.created_at AS until,
    date_trunc('day', now())
      - make_interval(days => CASE WHEN history.what IS NULL THEN ${history}::int ELSE history.days END) AS beginning,
    date_trunc('day', now())
      - make_interval(days => CASE WHEN detail.what IS NULL THEN ${historyDetail}::int ELSE detail.days END) AS detail_beginning
  FROM (
    SELECT backend_id, number, organization_id, created_at, state IS NULL AS is_deletion FROM backend_revisions
    WHERE (backend_id, number) > (split_part(${position}, '/', 1)::uuid, split_part(${position}, '/', 2)::int)
    ORDER BY backend_id, number LIMIT ${batch}
  ) AS r
    LEFT JOIN LATERAL (
      SELECT created_at FROM backend_revisions WHERE backend_id = r.backend_id AND number > r.number ORDER BY number LIMIT 1
    ) AS next ON true
    LEFT JOIN organization_retention AS history ON history.organization_id = r.organization_id AND history.what = 'history'
    LEFT JOIN organization_retention AS detail ON detail.organization_id = r.organization_id AND detail.what = 'historyDetail'
), old AS MATERIALIZED (
  SELECT backend_id, number, created_at, until FROM stretch
  WHERE until <= beginning OR until <= detail_beginning AND number > 1 AND number % ${snapshotInterval}::int <> 0
), concerned AS MATERIALIZED (
  -- Zones that name such a backend, with their first later revision.
  SELECT b.backend_id, n.zone_id, (
    SELECT number FROM zone_revisions WHERE zone_id = n.zone_id AND created_at >= b.until ORDER BY number LIMIT 1
  ) AS younger
  FROM (SELECT backend_id, max(until) AS until FROM old GROUP BY backend_id) AS b
    JOIN zone_backends AS n ON n.backend_id = b.backend_id
), events AS (
  SELECT backend_id, number, created_at, until FROM old
  UNION ALL
  SELECT concerned.backend_id, NULL, moment.created_at, NULL
  FROM concerned CROSS JOIN LATERAL (
    -- OFFSET keeps this an index scan per zone, which has few old revisions and any number of later ones.
    SELECT created_at FROM zone_revisions
    WHERE zone_id = concerned.zone_id AND number < coalesce(concerned.younger, ${maxNumber}::int) OFFSET 0
  ) AS moment
), outdated AS (
  SELECT backend_id, number FROM (
    SELECT backend_id, number, lead(number) OVER follows IS NULL AND lead(created_at) OVER follows < until AS is_needed
    FROM events WINDOW follows AS (PARTITION BY backend_id ORDER BY created_at, number NULLS LAST)
  ) AS state WHERE number IS NOT NULL AND is_needed IS NOT TRUE
)
SELECT backends, numbers,
  ARRAY(SELECT backend_id FROM stretch WHERE is_deletion AND created_at <= beginning) AS "deleted",
  (SELECT backend_id || '/' || number FROM stretch ORDER BY backend_id, number OFFSET ${batch}::int - 1) AS "position"
FROM (
  SELECT coalesce(array_agg(backend_id), '{}') AS backends, coalesce(array_agg(number), '{}') AS numbers FROM outdated
) AS found
