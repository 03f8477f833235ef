-- Rendered from templates/zones/zone-changes/apply.sql.eta
-- Applies a decision, or does nothing if its preconditions no longer hold. The rows it depends on are locked, so the
-- conditions hold at commit: organization and membership first, as everywhere.
WITH organization AS MATERIALIZED (
  SELECT id FROM organizations WHERE id = ${organization} AND revision = ${organizationRevision} FOR SHARE
), membership AS MATERIALIZED (
  SELECT m.organization_id FROM organization AS o JOIN memberships AS m ON m.organization_id = o.id
  WHERE m.user_id = ${user} AND m.role = ${role}
  FOR SHARE OF m
), origins AS MATERIALIZED (
  SELECT s.id FROM origin_servers AS s
  WHERE s.id = ANY (${originServers}::uuid[]) AND s.revision = (
    SELECT w.revision FROM unnest(${originServers}::uuid[], ${originRevisions}::int[]) AS w (id, revision) WHERE w.id = s.id
  )
  ORDER BY s.id
  FOR KEY SHARE OF s
), balancers AS MATERIALIZED (
  SELECT b.id FROM load_balancers AS b
  WHERE b.id = ANY (${loadBalancers}::uuid[]) AND b.revision = (
    SELECT w.revision FROM unnest(${loadBalancers}::uuid[], ${balancerRevisions}::int[]) AS w (id, revision) WHERE w.id = b.id
  )
  ORDER BY b.id
  FOR KEY SHARE OF b
), zone AS MATERIALIZED (
  -- Locks the zone before the change set, as everywhere.
  SELECT z.id FROM zones AS z WHERE z.id = ${zone} AND z.revision = ${revision} AND EXISTS (SELECT FROM membership)
  FOR UPDATE
), change_set AS MATERIALIZED (
  SELECT c.id FROM zone JOIN change_sets AS c ON c.zone_id = zone.id
  WHERE c.id = ${changeSet} AND c.revision = ${changeSetRevision} AND applied_at IS NULL AND ends_at > statement_timestamp()
  FOR UPDATE OF c
), head AS (
  UPDATE zones AS z SET revision = z.revision + 1,
    name = coalesce(${name}, z.name), name_key = coalesce(${nameKey}, z.name_key), tag = coalesce(${tag}, z.tag),
    ban_token_hash = coalesce(${banTokenHash}, z.ban_token_hash),
    sealed_ban_token = coalesce(${sealedBanToken}, z.sealed_ban_token),
    updated_at = CASE WHEN ${isZoneChanged} THEN statement_timestamp() ELSE z.updated_at END,
    hostnames = coalesce(${hostnames}::text[], z.hostnames)
  WHERE z.id = ${zone} AND z.revision = ${revision} AND EXISTS (SELECT FROM membership)
    AND (${mostStored}::bigint IS NULL OR ${mostStored} >= (
      SELECT coalesce(sum(bytes), 0) FROM stored_bytes WHERE organization_id = ${organization}
    ))
    AND (SELECT count(*) FROM origins) = cardinality(${originServers}::uuid[])
    AND (SELECT count(*) FROM balancers) = cardinality(${loadBalancers}::uuid[])
    AND (${changeSet}::uuid IS NULL OR EXISTS (SELECT FROM change_set))
  RETURNING z.id, z.revision, z.revision || '.' || z.xmin::text AS version
), settings AS (
  UPDATE zone_settings AS s SET settings = ${settings}::json
  FROM head WHERE s.zone_id = head.id AND ${settings}::text IS NOT NULL
), released AS (
  DELETE FROM host_names AS h USING head WHERE h.zone_id = head.id AND h.name <> ALL (${hostnames}::text[])
), claimed AS (
  -- In one order, so that changes that claim the same names do not wait for each other in a circle.
  INSERT INTO host_names (name, zone_id, domain_id)
  SELECT w.name, head.id, w.domain FROM head, unnest(${claimedNames}::text[], ${coveringDomains}::uuid[]) AS w (name, domain)
  ORDER BY w.name
), lists AS (
  INSERT INTO rule_lists AS l (zone_id, kind) SELECT head.id, touched.kind FROM head, unnest(${kinds}::text[]) AS touched (kind)
  ON CONFLICT (zone_id, kind) DO UPDATE SET revision = l.revision + 1
), written AS (
  UPDATE rules AS r SET
    name_key = coalesce(w.name_key, r.name_key),
    unique_hash = CASE WHEN w.content IS NULL THEN r.unique_hash ELSE w.unique_hash END,
    content = coalesce(w.content::json, r.content),
    rank = coalesce(w.rank, r.rank),
    revision = CASE WHEN w.content IS NULL THEN r.revision ELSE r.revision + 1 END,
    updated_at = CASE WHEN w.content IS NULL THEN r.updated_at ELSE statement_timestamp() END
  FROM head, unnest(${writtenIds}::uuid[], ${writtenNameKeys}::text[], ${writtenHashes}::bytea[], ${writtenContents}::text[],
    ${writtenRanks}::float8[]) AS w (id, name_key, unique_hash, content, rank)
  -- `IS TRUE` keeps the planner from reading all rules of the zone.
  WHERE (r.zone_id = head.id) IS TRUE AND r.id = w.id
), removed AS (
  DELETE FROM rules AS r USING head WHERE (r.zone_id = head.id) IS TRUE AND r.id = ANY (${removed}::uuid[])
), added AS (
  -- The first revision is the zone's, which is higher than any earlier revision of a rule with this id.
  INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, content, rank, revision, created_at, updated_at)
  SELECT w.id, head.id, w.kind, w.name_key, w.unique_hash, w.content::json, w.rank, head.revision - 1,
    statement_timestamp(), statement_timestamp()
  FROM head, unnest(${addedIds}::uuid[], ${addedKinds}::text[], ${addedNameKeys}::text[], ${addedHashes}::bytea[],
    ${addedContents}::text[], ${addedRanks}::float8[]) AS w (id, kind, name_key, unique_hash, content, rank)
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
), named AS (
  INSERT INTO zone_backends (backend_id, zone_id)
  SELECT backend_id, head.id FROM head, unnest(${originServers}::uuid[] || ${loadBalancers}::uuid[]) AS backend_id
  ON CONFLICT DO NOTHING
), applied AS (
  UPDATE change_sets AS c SET applied_revision = head.revision, applied_by = ${user}, applied_at = statement_timestamp(),
    updated_at = statement_timestamp(), revision = c.revision + 1
  FROM head WHERE c.id = ${changeSet}
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
