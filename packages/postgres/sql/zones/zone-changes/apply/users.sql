-- Rendered from templates/zones/zone-changes/apply.sql.eta
-- Applies a decision, or does nothing if its preconditions no longer hold. The rows it depends on are locked, so the
-- conditions hold at commit: organization and membership first, as everywhere.
WITH organization AS MATERIALIZED (
  SELECT id FROM organizations WHERE id = ${organization} AND revision = ${organizationRevision} FOR SHARE
), membership AS MATERIALIZED (
  SELECT m.organization_id FROM organization AS o JOIN memberships AS m ON m.organization_id = o.id
  WHERE m.user_id = ${user} AND m.role = ${role}
  FOR SHARE OF m
), head AS (
  UPDATE zones AS z SET revision = z.revision + 1
  WHERE z.id = ${zone} AND z.revision = ${revision} AND EXISTS (SELECT FROM membership)
    AND (${mostStored}::bigint IS NULL OR ${mostStored} >= (
      SELECT coalesce(sum(bytes), 0) FROM stored_bytes WHERE organization_id = ${organization}
    ))
  RETURNING z.id, z.revision, z.revision || '.' || z.xmin::text AS version
), removed_users AS (
  DELETE FROM basic_auth_users AS b USING head WHERE b.zone_id = head.id AND b.id = ANY (${removedUsers}::uuid[])
), changed_users AS (
  UPDATE basic_auth_users AS b SET
    comment = w.comment, password_hash = coalesce(w.hash, b.password_hash), updated_at = statement_timestamp(),
    revision = b.revision + 1
  FROM head, unnest(${changedUsers}::uuid[], ${changedComments}::text[], ${changedPasswords}::text[]) AS w (id, comment, hash)
  WHERE b.zone_id = head.id AND b.id = w.id
), added_users AS (
  INSERT INTO basic_auth_users (id, zone_id, username, username_key, comment, password_hash, created_at, updated_at)
  SELECT w.id, head.id, w.username, w.username_key, w.comment, w.hash, statement_timestamp(), statement_timestamp()
  FROM head, unnest(${addedUsers}::uuid[], ${usernames}::text[], ${usernameKeys}::text[], ${addedComments}::text[],
    ${addedPasswords}::text[]) AS w (id, username, username_key, comment, hash)
), history AS (
  INSERT INTO zone_revisions (zone_id, number, action, objects, author, patch, inverse, snapshot, contents_from, rest_from,
    adjustment, replay_bytes, created_at)
  SELECT id, revision, ${action}, ${objects}::json, ${user}, ${patch}::json, '{}', ${snapshot}::json, ${contentsFrom}::int,
    ${restFrom}::int, ${adjustment}::json, ${replayBytes}, statement_timestamp()
  FROM head
), audit AS (
  INSERT INTO audit_log (action, actor_id, credential_id, organization_id, objects, network, user_agent)
  SELECT ${action}, ${user}, ${credential}, ${organization}, ${auditObjects}, ${network}, ${userAgent} FROM head
)
SELECT statement_timestamp()::timestamptz(3) AS at, version FROM head
