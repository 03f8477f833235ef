SELECT EXISTS (SELECT FROM second_factors WHERE user_id = ${user}) AS "enabled"
