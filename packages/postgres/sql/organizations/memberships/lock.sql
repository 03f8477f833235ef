-- Lock order: organization, then membership. A unit that changes a member already holds the organization; the reverse
-- order would deadlock.
WITH organization AS MATERIALIZED (
  SELECT id, enforce_two_factor, required_provider FROM organizations WHERE id = ${organization} FOR SHARE
)
SELECT m.role, o.enforce_two_factor AS "enforced", o.required_provider AS "requiredProvider"
FROM organization AS o JOIN memberships AS m ON m.organization_id = o.id
WHERE m.user_id = ${user}
FOR SHARE OF m
