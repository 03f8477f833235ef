UPDATE rules SET key_version = 1 WHERE id = ANY (${rules}::uuid[])
