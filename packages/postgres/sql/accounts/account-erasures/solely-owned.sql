SELECT o.id, o.name,
  (SELECT count(*)::int FROM memberships WHERE organization_id = o.id) - 1 AS "others",
  (SELECT count(*)::int FROM zones WHERE organization_id = o.id) AS "zones"
FROM organizations AS o JOIN memberships AS m ON m.organization_id = o.id
WHERE m.user_id = ${user} AND m.role = 'owner' AND NOT EXISTS (
  SELECT FROM memberships AS other WHERE other.organization_id = o.id AND other.role = 'owner' AND other.user_id <> m.user_id
)
ORDER BY o.id
