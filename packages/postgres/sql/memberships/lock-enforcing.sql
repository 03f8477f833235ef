-- All of the user's organizations are locked, in the order of their ids: those that do not enforce must not start to.
WITH own AS MATERIALIZED (
  SELECT o.id, o.enforce_two_factor
  FROM organizations AS o JOIN memberships AS m ON m.organization_id = o.id
  WHERE m.user_id = ${user}
  ORDER BY o.id
  FOR SHARE OF o
)
SELECT id FROM own WHERE enforce_two_factor ORDER BY id
