SELECT id, name, enforce_two_factor AS "enforceTwoFactor", required_provider AS "requiredProvider",
  created_at AS "createdAt", updated_at AS "updatedAt", revision, limits::text AS "ownLimits",
  (SELECT count(*)::int FROM memberships AS m WHERE m.organization_id = o.id) AS "members",
  (SELECT count(*)::int FROM zones AS z WHERE z.organization_id = o.id) AS "zones"
FROM organizations AS o
WHERE ${after}::integer IS NULL OR id > ${after}
ORDER BY id
LIMIT ${limit}
