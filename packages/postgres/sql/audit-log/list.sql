SELECT /*part audit-log/columns*/
FROM audit_log
WHERE /*part audit-log/filter*/
ORDER BY at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
