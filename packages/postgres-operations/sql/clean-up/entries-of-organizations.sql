-- The next organizations of a walk with their own retention.
WITH stretch AS MATERIALIZED (
  SELECT organization_id AS id, days FROM organization_retention
  WHERE what = 'auditLog' AND days IS NOT NULL AND organization_id > ${position}::int ORDER BY organization_id LIMIT ${organizations}
), old AS MATERIALIZED (
  SELECT entry.id, entry.at FROM stretch CROSS JOIN LATERAL (
    SELECT a.id, a.at FROM audit_log AS a
    WHERE a.organization_id = stretch.id AND a.at < date_trunc('day', now()) - make_interval(days => stretch.days) LIMIT ${entries}
  ) AS entry
), removed AS (
  DELETE FROM audit_log AS a USING old WHERE a.id = old.id AND a.at = old.at RETURNING a.id
)
SELECT (SELECT count(*)::int FROM removed) AS "removed",
  (SELECT CASE WHEN count(*) = ${organizations} THEN max(id)::text END FROM stretch) AS "position"
