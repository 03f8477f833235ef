SELECT count(*)::int AS "total" FROM audit_log
WHERE /*part audit-log/filter*/
