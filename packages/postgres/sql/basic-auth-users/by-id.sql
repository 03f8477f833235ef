SELECT id, zone_id AS "zoneId", username, comment, created_at AS "createdAt", updated_at AS "updatedAt", revision
FROM basic_auth_users WHERE id = ${id} AND zone_id = ${zone}
