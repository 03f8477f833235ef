-- Omits texts that are too large together.
SELECT z.id, z.organization_id AS "organizationId", z.name, z.tag, z.created_by AS "createdBy",
  z.sealed_ban_token AS "banToken", z.created_at AS "createdAt", z.updated_at AS "updatedAt", z.revision, z.hostnames, z.revision || '.' || z.xmin::text AS "version",
  s.settings_bytes AS "bytes",
  CASE WHEN sum(s.settings_bytes) OVER () <= ${maxBytes} OR count(*) OVER () = 1 THEN s.settings::text END AS "settings"
FROM zones AS z JOIN zone_settings AS s ON s.zone_id = z.id
WHERE z.id = ANY (${ids})
