SELECT count(*)::int AS "count" FROM address_changes
WHERE user_id = ${user} AND created_at > now() - make_interval(secs => ${seconds})
