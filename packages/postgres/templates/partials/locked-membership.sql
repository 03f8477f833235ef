organization AS MATERIALIZED (
  SELECT id FROM organizations WHERE id = ${organization} AND revision = ${organizationRevision} FOR SHARE
), membership AS MATERIALIZED (
  SELECT m.organization_id FROM organization AS o JOIN memberships AS m ON m.organization_id = o.id
  WHERE m.user_id = ${user} AND m.role = ${role}
  FOR SHARE OF m
)
