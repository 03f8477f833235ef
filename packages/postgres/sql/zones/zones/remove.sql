-- What is in the zone stays in its tables, which refer to the zone's identity.
WITH removed AS (
  DELETE FROM zones WHERE id = ${id} RETURNING *
)
INSERT INTO zone_deletions (id, organization_id, name, tag, hostnames, created_by, created_at, updated_at, revision,
  search_key, deleted_by, expires_at)
SELECT id, organization_id, name, tag, hostnames, created_by, created_at, updated_at, revision,
  search_key, ${author}, now() + make_interval(secs => ${lifetimeSeconds})
FROM removed
