SELECT id, name, stage, tags, organizations FROM edges WHERE key_hash = ${key}
