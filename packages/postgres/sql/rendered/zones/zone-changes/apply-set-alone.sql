-- Rendered from templates/zones/zone-changes/apply-set-alone.sql.eta
-- Marks a change set without effect as applied, on the same conditions; the zone keeps its revision.
WITH organization AS MATERIALIZED (
  SELECT id FROM organizations WHERE id = ${organization} AND revision = ${organizationRevision} FOR SHARE
), membership AS MATERIALIZED (
  SELECT m.organization_id FROM organization AS o JOIN memberships AS m ON m.organization_id = o.id
  WHERE m.user_id = ${user} AND m.role = ${role}
  FOR SHARE OF m
), zone AS MATERIALIZED (
  -- Locks the zone before the change set, as everywhere.
  SELECT z.id FROM zones AS z WHERE z.id = ${zone} AND z.revision = ${revision} AND EXISTS (SELECT FROM membership)
  FOR UPDATE
), change_set AS MATERIALIZED (
  SELECT c.id FROM zone JOIN change_sets AS c ON c.zone_id = zone.id
  WHERE c.id = ${changeSet} AND c.revision = ${changeSetRevision} AND applied_at IS NULL AND ends_at > statement_timestamp()
  FOR UPDATE OF c
), applied AS (
  UPDATE change_sets AS c SET applied_revision = ${revision}, applied_by = ${user}, applied_at = statement_timestamp(),
    updated_at = statement_timestamp(), revision = c.revision + 1
  FROM change_set WHERE c.id = change_set.id AND (${mostStored}::bigint IS NULL OR ${mostStored} >= (
    SELECT coalesce(sum(bytes), 0) FROM stored_bytes WHERE organization_id = ${organization}
  ))
  RETURNING c.id
), audit AS (
  INSERT INTO audit_log (action, actor_id, credential_id, organization_id, objects, network, user_agent)
  SELECT ${action}, ${user}, ${credential}, ${organization}, ${auditObjects}, ${network}, ${userAgent} FROM applied
)
SELECT statement_timestamp()::timestamptz(3) AS at, NULL AS version FROM applied
