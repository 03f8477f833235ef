-- What there is to cut back: what the installation or an organization keeps for a time only. Only the owner of the audit log can.
SELECT
  ${history}::int IS NOT NULL OR ${historyDetail}::int IS NOT NULL
    OR EXISTS (SELECT FROM organization_retention WHERE what <> 'auditLog' AND days IS NOT NULL) AS "history",
  (${auditLog}::int IS NOT NULL OR EXISTS (SELECT FROM organization_retention WHERE what = 'auditLog' AND days IS NOT NULL))
    AND pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'audit_log'::regclass), 'USAGE') AS "auditLog"
