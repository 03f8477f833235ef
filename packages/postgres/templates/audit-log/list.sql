SELECT id, at, action, actor_id AS "actor", credential_id AS "credential", organization_id AS "organization", objects,
  network, user_agent AS "userAgent"
FROM audit_log
WHERE <%~ include('@audit-log-filter') %>
ORDER BY at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
