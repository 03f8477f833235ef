id, zone_id AS "zoneId", username, comment, created_at AS "createdAt", updated_at AS "updatedAt", revision
