UPDATE users SET password_hash = ${to} WHERE id = ${id} AND password_hash = ${from}
