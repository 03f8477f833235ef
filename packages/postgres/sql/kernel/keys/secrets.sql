SELECT user_id AS "user", secret AS "sealed" FROM two_factor
WHERE ${after}::uuid IS NULL OR user_id > ${after} ORDER BY user_id LIMIT ${limit} FOR UPDATE
