-- Restores each row unchanged. The name becomes unique again only when it is written, and the zone gets a new ban token;
-- until then the id is a placeholder for both. The host names belong to the zone only when they are written, too.
WITH z AS (
  DELETE FROM deleted_zones WHERE id = ${id} AND organization_id = ${organization} AND expires_at > now() RETURNING *
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
SELECT id FROM z
