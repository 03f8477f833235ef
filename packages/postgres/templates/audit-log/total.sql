SELECT count(*)::int AS "total" FROM audit_log
WHERE <%~ include('@audit-log-filter') %>
