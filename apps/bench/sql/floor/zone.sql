SELECT z.id, z.organization_id AS "organizationId", z.name, z.tag, z.ban_token_hash AS "banToken", z.hostnames,
  z.created_by AS "createdBy", z.created_at AS "createdAt", z.updated_at AS "updatedAt", s.settings::text AS "settings",
  (SELECT count(*)::int FROM basic_auth_users AS b WHERE b.zone_id = z.id) AS "basicAuthUserCount"
FROM zones AS z JOIN zone_settings AS s ON s.zone_id = z.id WHERE z.id = $1
