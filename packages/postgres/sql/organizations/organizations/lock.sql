-- Serializes units that change an organization, its members or its zone count, so that limits hold.
SELECT id, name, enforce_two_factor AS "enforceTwoFactor", required_provider AS "requiredProvider",
  created_at AS "createdAt", updated_at AS "updatedAt", revision, limits::text AS "ownLimits"
FROM organizations
WHERE id = ${id}
FOR NO KEY UPDATE
