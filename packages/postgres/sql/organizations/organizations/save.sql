UPDATE organizations
SET name = ${name}, name_key = ${nameKey}, enforce_two_factor = ${enforceTwoFactor},
  required_provider = ${requiredProvider}, updated_at = clock_timestamp(),
  revision = revision + 1
WHERE id = ${id}
RETURNING id, name, enforce_two_factor AS "enforceTwoFactor", required_provider AS "requiredProvider",
  created_at AS "createdAt", updated_at AS "updatedAt", revision, limits::text AS "ownLimits"
