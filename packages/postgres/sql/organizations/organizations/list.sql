SELECT id, name, enforce_two_factor AS "enforceTwoFactor", required_provider AS "requiredProvider",
  created_at AS "createdAt", updated_at AS "updatedAt", revision, limits::text AS "ownLimits"
FROM organizations
WHERE id = ANY (${ids})
ORDER BY name_key, id
LIMIT ${limit} OFFSET ${offset}
