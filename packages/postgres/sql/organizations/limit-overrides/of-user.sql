SELECT coalesce(limits, '{}')::text AS "limits" FROM users WHERE id = ${user}
