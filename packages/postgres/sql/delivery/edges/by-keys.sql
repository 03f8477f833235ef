SELECT key_hash AS key, id, name, stage, tags, organizations FROM edges WHERE key_hash = ANY (${keys}::text[])
