UPDATE organizations SET limits = nullif(${limits}::jsonb, '{}'), revision = revision + 1 WHERE id = ${id}
