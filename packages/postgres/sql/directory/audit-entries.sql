SELECT /*part audit-log/columns*/
FROM audit_log
WHERE ${after}::bigint IS NULL OR id > ${after}
ORDER BY id
LIMIT ${limit}
