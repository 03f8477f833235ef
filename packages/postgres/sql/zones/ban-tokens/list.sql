SELECT id, ban_token_hash AS "hash", sealed_ban_token AS "sealed" FROM zones
WHERE ${after}::uuid IS NULL OR id > ${after} ORDER BY id LIMIT ${limit}
