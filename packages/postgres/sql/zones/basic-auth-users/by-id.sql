SELECT b.id, b.zone_id AS "zoneId", b.username, b.comment, b.created_at AS "createdAt", b.updated_at AS "updatedAt", b.revision
FROM basic_auth_users AS b JOIN zones AS z ON z.id = b.zone_id
WHERE b.id = ${id} AND b.zone_id = ${zone}
