SELECT id, zone_id AS "zoneId", username, comment, created_at AS "createdAt", updated_at AS "updatedAt", revision
FROM basic_auth_users
WHERE zone_id = ${zone} AND (${pattern}::text IS NULL OR username_key LIKE ${pattern} ESCAPE '\')
ORDER BY username, id
LIMIT ${limit} OFFSET ${offset}
