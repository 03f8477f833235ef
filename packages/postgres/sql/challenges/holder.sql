SELECT user_id AS "userId" FROM challenges WHERE hash = ${hash}
