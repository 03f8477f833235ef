SELECT count(*)::int AS "total"
FROM change_sets
WHERE <%~ include('@change-set-filter') %>
