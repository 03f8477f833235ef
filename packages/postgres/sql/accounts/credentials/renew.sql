UPDATE users SET credentials_version = credentials_version + 1 WHERE id = ${id}
