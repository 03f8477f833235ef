SELECT address_key AS "addressKey", true AS "enabled" FROM origin_servers WHERE id = ${id}
