SELECT zone_id AS id, tag, organization_id AS "organizationId", position::float8, is_halted AS "isHalted",
  extract(epoch FROM now() - applied_at)::float8 AS "soakedSeconds"
FROM edge_zones WHERE is_pending AND (${zone}::uuid IS NULL OR zone_id = ${zone})
ORDER BY position LIMIT ${limit}
