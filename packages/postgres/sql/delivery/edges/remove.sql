DELETE FROM edges WHERE name = ${name} RETURNING id
