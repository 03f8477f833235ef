-- The next entries of a walk: deletes those of months beyond the installation's retention, except of organizations with
-- their own retention.
WITH stretch AS MATERIALIZED (
  SELECT id, at, organization_id,
    at < date_trunc('month', now() - make_interval(days => ${days}::int), 'UTC') AS is_over
  FROM audit_log WHERE id > ${position}::bigint ORDER BY id LIMIT ${batch}
), removed AS (
  DELETE FROM audit_log AS a USING stretch AS s
  WHERE a.id = s.id AND a.at = s.at AND s.is_over AND NOT EXISTS (
    SELECT FROM organization_retention AS r WHERE r.organization_id = s.organization_id AND r.what = 'auditLog'
  )
  RETURNING a.id
)
SELECT (SELECT count(*)::int FROM removed) AS "removed",
  (SELECT CASE WHEN count(*) = ${batch} AND bool_and(is_over) THEN max(id)::text END FROM stretch) AS "position"
