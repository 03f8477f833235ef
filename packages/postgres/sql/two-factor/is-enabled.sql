SELECT EXISTS (SELECT 1 FROM two_factor WHERE user_id = ${user} AND state = 'enabled') AS "enabled"
