r.id, r.zone_id AS "zoneId", r.kind, r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision
