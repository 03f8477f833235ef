-- FOR UPDATE: every change inside a zone takes turns with every other one.
SELECT z.id, z.organization_id AS "organizationId", z.name, z.tag, z.ban_token AS "banToken", z.created_by AS "createdBy",
  z.created_at AS "createdAt", z.updated_at AS "updatedAt", z.revision, s.settings::text AS "settings"
FROM zones AS z JOIN zone_settings AS s ON s.zone_id = z.id
WHERE z.id = ${id}
FOR UPDATE OF z, s
