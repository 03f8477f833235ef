UPDATE edges SET is_draining = ${isDraining} WHERE name = ${name} RETURNING id
