SELECT active AND email_verified_at IS NOT NULL AS "inGoodStanding" FROM users WHERE id = ${userId} FOR NO KEY UPDATE
