SELECT count(*)::int AS "total" FROM basic_auth_users
WHERE zone_id = ${zone} AND (${pattern}::text IS NULL OR username_key LIKE ${pattern} ESCAPE '\')
