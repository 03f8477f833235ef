-- Once nobody keeps any of its entries.
SELECT CASE WHEN ${days}::int IS NULL OR kept.forever THEN false
  ELSE drop_audit_log_month(now() - make_interval(days => greatest(${days}::int, kept.days))) END AS "dropped"
FROM (
  SELECT coalesce(bool_or(days IS NULL), false) AS forever, max(days) AS days FROM organization_retention WHERE what = 'auditLog'
) AS kept
