UPDATE rules SET unique_hash = NULL, key_version = 1 WHERE id = ${rule}
