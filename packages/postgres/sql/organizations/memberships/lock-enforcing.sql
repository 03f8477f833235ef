-- Locks all of the user's organizations in id order: those that do not enforce a second factor must not start to.
WITH own AS MATERIALIZED (
  SELECT o.id, o.enforce_two_factor
  FROM organizations AS o JOIN memberships AS m ON m.organization_id = o.id
  WHERE m.user_id = ${user}
  ORDER BY o.id
  FOR SHARE OF o
)
SELECT id FROM own WHERE enforce_two_factor ORDER BY id
