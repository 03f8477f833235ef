-- Rendered from templates/zones/zone-changes/apply.sql.eta
-- Applies a decision, or does nothing if its preconditions no longer hold. The rows it depends on are locked, so the
-- conditions hold at commit: organization and membership first, as everywhere.
WITH head AS (
  UPDATE zones AS z SET revision = z.revision + 1,
    name = coalesce(${name}, z.name), name_key = coalesce(${nameKey}, z.name_key), tag = coalesce(${tag}, z.tag),
    ban_token_hash = coalesce(${banTokenHash}, z.ban_token_hash),
    sealed_ban_token = coalesce(${sealedBanToken}, z.sealed_ban_token),
    updated_at = CASE WHEN ${isZoneChanged} THEN statement_timestamp() ELSE z.updated_at END,
    hostnames = coalesce(${hostnames}::text[], z.hostnames)
  WHERE z.id = ${zone} AND z.revision = ${revision}
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
