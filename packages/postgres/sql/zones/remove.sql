-- All parts see the snapshot before the deletion: nested rows are copied, then deleted with the zone.
WITH removed AS (
  DELETE FROM zones WHERE id = ${id} RETURNING *
)
INSERT INTO deleted_zones (id, organization_id, name, tag, created_by, created_at, updated_at, revision, search_key, hostnames,
  deleted_by, expires_at, settings, rules, rule_lists, users)
SELECT z.id, z.organization_id, z.name, z.tag, z.created_by, z.created_at, z.updated_at, z.revision, z.search_key, z.hostnames,
  ${author}, now() + make_interval(secs => ${lifetimeSeconds}), (SELECT settings FROM zone_settings WHERE zone_id = z.id),
  (SELECT coalesce(json_agg(json_build_object('id', r.id, 'kind', r.kind, 'name_key', r.name_key,
    'unique_hash', r.unique_hash, 'key_version', r.key_version, 'content', r.content, 'rank', r.rank,
    'revision', r.revision, 'created_at', r.created_at, 'updated_at', r.updated_at)), '[]')
    FROM rules AS r WHERE r.zone_id = z.id),
  (SELECT coalesce(json_agg(json_build_object('kind', l.kind, 'revision', l.revision)), '[]')
    FROM rule_lists AS l WHERE l.zone_id = z.id),
  (SELECT coalesce(json_agg(json_build_object('id', b.id, 'username', b.username, 'username_key', b.username_key,
    'comment', b.comment, 'password_hash', b.password_hash, 'revision', b.revision, 'created_at', b.created_at,
    'updated_at', b.updated_at)), '[]')
    FROM basic_auth_users AS b WHERE b.zone_id = z.id)
FROM removed AS z
