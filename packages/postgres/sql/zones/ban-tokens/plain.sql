SELECT id, ban_token AS "earlier", ban_token AS "banToken" FROM zones
WHERE NOT starts_with(ban_token, 'hmac.')
ORDER BY id LIMIT ${limit}
