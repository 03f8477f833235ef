DELETE FROM origin_servers WHERE id = ${id}
