SELECT id, at, action, actor_id AS "actor", credential_id AS "credential", organization_id AS "organization", objects,
  network, user_agent AS "userAgent"
FROM audit_log
WHERE ${after}::bigint IS NULL OR id > ${after}
ORDER BY id
LIMIT ${limit}
