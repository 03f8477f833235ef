UPDATE zones SET revision = revision + 1 WHERE id = ${id} RETURNING revision
