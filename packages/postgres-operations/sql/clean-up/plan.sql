-- Data with a limited retention, of the installation or an organization. Only the owner of the audit log can delete it.
SELECT
  ${history}::int IS NOT NULL OR ${historyDetail}::int IS NOT NULL
    OR EXISTS (SELECT FROM organization_retention WHERE what <> 'auditLog' AND days IS NOT NULL) AS "history",
  (${auditLog}::int IS NOT NULL OR EXISTS (SELECT FROM organization_retention WHERE what = 'auditLog' AND days IS NOT NULL))
    AND pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'audit_log'::regclass), 'USAGE') AS "auditLog"
