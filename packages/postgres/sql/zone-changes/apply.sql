-- Applies a decision, or does nothing if its preconditions no longer hold. The rows it depends on are locked, so the
-- conditions hold at commit: organization and membership first, as everywhere.
WITH /*part zone-changes/caller*/, /*backends*//*set*/head AS (
  UPDATE zones AS z SET revision = z.revision + 1/*members*/
  WHERE z.id = ${zone} AND z.revision = ${revision} AND EXISTS (SELECT FROM membership)/*unchanged*/
  RETURNING z.id, z.revision, z.revision || '.' || z.xmin::text AS state
), /*parts*/history AS (
  INSERT INTO zone_revisions (zone_id, number, action, objects, author, patch, inverse, snapshot, replay_bytes, created_at)
  SELECT id, revision, ${action}, ${objects}::json, ${user}, ${patch}::json, ${inverse}::json, ${snapshot}::json,
    ${replayBytes}, statement_timestamp()
  FROM head
), audit AS (
  INSERT INTO audit_log (action, actor_id, credential_id, organization_id, objects, network, user_agent)
  SELECT ${action}, ${user}, ${credential}, ${organization}, ${auditObjects}, ${network}, ${userAgent} FROM head
)
SELECT statement_timestamp()::timestamptz(3) AS at, state FROM head
