-- Lock order: organization, membership, zone. Serializes changes of the zone; the role cannot change.
WITH organization AS MATERIALIZED (
  SELECT o.id FROM zones AS z JOIN organizations AS o ON o.id = z.organization_id WHERE z.id = ${zone} FOR SHARE OF o
), membership AS MATERIALIZED (
  SELECT m.organization_id FROM organization AS o JOIN memberships AS m ON m.organization_id = o.id
  WHERE m.user_id = ${user} FOR SHARE OF m
)
SELECT z.id FROM zones AS z
WHERE z.id = ${zone} AND (SELECT count(*) FROM membership) >= 0
FOR UPDATE
