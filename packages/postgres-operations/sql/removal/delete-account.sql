DELETE FROM users WHERE id = ${account} RETURNING email
