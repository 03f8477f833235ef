DELETE FROM zones WHERE id = ${id}
