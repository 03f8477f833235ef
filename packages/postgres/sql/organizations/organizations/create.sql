WITH created AS (
  INSERT INTO organizations (name, name_key) VALUES (${name}, ${nameKey})
  RETURNING id, name, enforce_two_factor, required_provider, created_at, updated_at, revision, limits
), owner AS (
  INSERT INTO memberships (organization_id, user_id, role) SELECT id, ${owner}, 'owner' FROM created
)
SELECT id, name, enforce_two_factor AS "enforceTwoFactor", required_provider AS "requiredProvider",
  created_at AS "createdAt", updated_at AS "updatedAt", revision, limits::text AS "ownLimits"
FROM created
