SELECT /*part accounts/in-good-standing*/ AS "inGoodStanding" FROM users WHERE id = ${userId} FOR NO KEY UPDATE
