-- Lock order: account, then token.
SELECT id FROM users WHERE id = (SELECT user_id FROM mailed_tokens WHERE hash = ${hash}) FOR NO KEY UPDATE
