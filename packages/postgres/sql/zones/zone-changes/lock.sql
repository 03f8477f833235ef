-- Lock order: organization, membership, zone. Serializes changes of the zone; the role cannot change.
WITH organization AS MATERIALIZED (
  SELECT o.id, o.enforce_two_factor, o.required_provider FROM zones AS z JOIN organizations AS o ON o.id = z.organization_id
  WHERE z.id = ${zone}
  FOR SHARE OF o
), membership AS MATERIALIZED (
  SELECT m.role, o.enforce_two_factor, o.required_provider FROM organization AS o JOIN memberships AS m ON m.organization_id = o.id
  WHERE m.user_id = ${user} FOR SHARE OF m
)
SELECT z.organization_id AS "organizationId", z.name, z.tag, z.revision, (SELECT role FROM membership) AS "role",
  (SELECT enforce_two_factor FROM membership)
    AND NOT EXISTS (SELECT FROM second_factors WHERE user_id = ${user}) AS "needsTwoFactor",
  (SELECT required_provider FROM membership) AS "requiredProvider"
FROM zones AS z
WHERE z.id = ${zone} AND (SELECT count(*) FROM membership) >= 0
FOR UPDATE
