SELECT count(*)::int AS "count" FROM memberships WHERE user_id = ${user} AND role = 'owner'
