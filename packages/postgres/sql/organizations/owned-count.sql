SELECT count(*)::int AS "count", /*part own-limits/user*/
FROM memberships WHERE user_id = ${user} AND role = 'owner'
