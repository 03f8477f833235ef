WITH added AS (
  INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash, sealed_ban_token, hostnames, created_by)
  VALUES (${id}, ${organizationId}, ${name}, ${nameKey}, ${tag}, ${banTokenHash}, ${sealedBanToken}, ${hostnames}, ${createdBy})
  ON CONFLICT ON CONSTRAINT zones_name_unique DO NOTHING
  RETURNING id, created_at, updated_at, revision
), settings AS (
  INSERT INTO zone_settings (zone_id, settings) SELECT id, ${settings}::json FROM added
), claimed AS (
  INSERT INTO host_names (name, zone_id, domain_id)
  SELECT w.name, added.id, w.domain FROM added, unnest(${claimedNames}::text[], ${coveringDomains}::uuid[]) AS w (name, domain)
  ORDER BY w.name
  ON CONFLICT (name) DO NOTHING
  RETURNING name
), named AS (
  INSERT INTO zone_backends (backend_id, zone_id)
  SELECT b.id, added.id FROM added, (
    SELECT ${backend}::uuid AS id
    UNION SELECT origin_server_id FROM load_balancer_origins WHERE load_balancer_id = ${backend}::uuid
  ) AS b
  WHERE b.id IS NOT NULL
)
SELECT created_at AS "createdAt", updated_at AS "updatedAt", revision,
  (SELECT coalesce(json_agg(name), '[]') FROM claimed) AS "claimed"
FROM added
