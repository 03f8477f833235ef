-- The last state of each backend at the time of the revision, or now without one. If that state has been removed but
-- later ones exist, the state at the previous revision. Load balancers include their origin servers at that time.
WITH moment AS MATERIALIZED (
  SELECT coalesce(
    (SELECT created_at FROM zone_revisions WHERE zone_id = ${zone} AND number = ${number}),
    (SELECT created_at FROM zone_revisions WHERE zone_id = ${zone} AND number = ${number} - 1
      AND EXISTS (SELECT FROM zone_revisions WHERE zone_id = ${zone} AND number > ${number})),
    'infinity'::timestamptz) AS at
), named AS MATERIALIZED (
  SELECT b.backend_id, b.kind, b.state FROM moment, unnest(${backends}::uuid[]) AS wanted (id), LATERAL (
    SELECT * FROM backend_revisions WHERE backend_id = wanted.id AND created_at <= moment.at ORDER BY number DESC LIMIT 1
  ) AS b
  WHERE b.organization_id = ${organization} AND b.state IS NOT NULL
), behind AS (
  SELECT (origin ->> 'originServer')::uuid AS id
  FROM named, json_array_elements(CASE WHEN kind = 'load_balancer' THEN state -> 'origins' END) AS origin
  EXCEPT SELECT backend_id FROM named
)
SELECT backend_id AS id, kind, state FROM named
UNION ALL
SELECT behind.id, b.kind, b.state FROM moment, behind, LATERAL (
  SELECT * FROM backend_revisions WHERE backend_id = behind.id AND created_at <= moment.at ORDER BY number DESC LIMIT 1
) AS b
WHERE b.state IS NOT NULL
