/** The statements on deleted zones of the version before 0093, which may still run beside this one. */
const previous = {
  remove: `
    WITH removed AS (
      DELETE FROM zones WHERE id = $(id) RETURNING *
    )
    INSERT INTO deleted_zones (id, organization_id, name, tag, created_by, created_at, updated_at, revision, search_key, hostnames,
      deleted_by, expires_at, settings, rules, rule_lists, users)
    SELECT z.id, z.organization_id, z.name, z.tag, z.created_by, z.created_at, z.updated_at, z.revision, z.search_key, z.hostnames,
      NULL, now() + interval '30 days', (SELECT settings FROM zone_settings WHERE zone_id = z.id),
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
    FROM removed AS z`,
  list: `
    SELECT id, name, tag, revision, deleted_at IS NOT NULL AS "hasTime" FROM deleted_zones
    WHERE organization_id = 1 AND expires_at > now() AND search_key LIKE '%' ORDER BY deleted_at DESC, id DESC`,
  state: `
    WITH z AS MATERIALIZED (
      SELECT * FROM deleted_zones WHERE id = $(id) AND organization_id = 1 AND expires_at > now()
    )
    SELECT id, name, bytes::float8 AS bytes, settings::text AS content, (
        SELECT coalesce(json_object_agg(l.kind, l.revision), '{}') FROM json_to_recordset(rule_lists) AS l (kind text, revision integer)
      ) AS "listRevisions", (
        SELECT coalesce(json_agg(u.username ORDER BY u.username), '[]') FROM json_to_recordset(users) AS u (id uuid, username text)
      ) AS users
    FROM z
    UNION ALL
    SELECT r.id, r.kind, 0, r.content::text, NULL, NULL
    FROM z, json_to_recordset(z.rules) AS r (id uuid, kind text, content json)`,
  revive: `
    WITH z AS (
      DELETE FROM deleted_zones WHERE id = $(id) AND organization_id = 1 AND expires_at > now() RETURNING *
    ), zone AS (
      INSERT INTO zones (id, organization_id, name, name_key, tag, hostnames, ban_token, created_by, created_at, updated_at, revision)
      SELECT id, organization_id, name, id::text, tag, hostnames, id::text, created_by, created_at, updated_at, revision FROM z
    ), settings AS (
      INSERT INTO zone_settings (zone_id, settings) SELECT id, settings FROM z
    ), revived_rules AS (
      INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, key_version, content, rank, revision, created_at, updated_at)
      SELECT r.id, z.id, r.kind, r.name_key, r.unique_hash, r.key_version, r.content, r.rank, r.revision, r.created_at, r.updated_at
      FROM z, json_to_recordset(z.rules) AS r (id uuid, kind text, name_key text, unique_hash bytea, key_version smallint,
        content json, rank double precision, revision integer, created_at timestamptz, updated_at timestamptz)
    ), lists AS (
      INSERT INTO rule_lists (zone_id, kind, revision)
      SELECT z.id, l.kind, l.revision FROM z, json_to_recordset(z.rule_lists) AS l (kind text, revision integer)
    ), revived_users AS (
      INSERT INTO basic_auth_users
        (id, zone_id, username, username_key, comment, password_hash, revision, created_at, updated_at)
      SELECT u.id, z.id, u.username, u.username_key, u.comment, u.password_hash, u.revision, u.created_at, u.updated_at
      FROM z, json_to_recordset(z.users) AS u (id uuid, username text, username_key text, comment text, password_hash text,
        revision integer, created_at timestamptz, updated_at timestamptz)
    )
    SELECT id FROM z`,
  cleanUp: `
    WITH expired AS (
      DELETE FROM deleted_zones WHERE id IN (
        SELECT id FROM (
          SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM (
            SELECT id, bytes FROM deleted_zones WHERE expires_at < now() - make_interval(secs => 3600) LIMIT 100
            FOR UPDATE SKIP LOCKED
          ) AS ended
        ) AS counted
        WHERE before < 33554432
      ) RETURNING id
    )
    UPDATE zone_identities SET organization_id = NULL WHERE id IN (SELECT id FROM expired)
    RETURNING id`,
} as const;

/** Version 1.0.0 had no host names, and restored ban tokens. */
const first = {
  ...previous,
  remove: previous.remove
    .replace('search_key, hostnames,', 'search_key, ban_token,')
    .replace('z.search_key, z.hostnames,', 'z.search_key, z.ban_token,'),
  revive: previous.revive
    .replace('hostnames, ban_token,', 'ban_token,')
    .replace('hostnames, id::text, created_by', 'ban_token, created_by'),
} as const;

export const statementsOf = { '1.0.0': first, previous } as const;
