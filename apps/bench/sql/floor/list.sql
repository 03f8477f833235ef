WITH page AS (
  SELECT id, name_key FROM zones WHERE organization_id = ANY ($1) ORDER BY name_key, id LIMIT 30
)
SELECT z.id, z.organization_id AS "organizationId", z.name, z.tag, z.ban_token_hash AS "banToken", z.hostnames, z.created_by AS "createdBy",
  z.created_at AS "createdAt", z.updated_at AS "updatedAt", s.settings::text AS "settings"
FROM page JOIN zones AS z USING (id) JOIN zone_settings AS s ON s.zone_id = z.id ORDER BY z.name_key, z.id
