UPDATE users SET limits = nullif(${limits}::jsonb, '{}') WHERE id = ${user}
