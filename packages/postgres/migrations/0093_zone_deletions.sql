-- Contract: a view takes the place of `deleted_zones`, for previous versions from 1.0.0 on.
-- Deleting a zone moves its own row; everything in it stays in its tables until its identity is deleted.
ALTER TABLE zone_settings
  DROP CONSTRAINT zone_settings_zone_id_fkey,
  ADD FOREIGN KEY (zone_id) REFERENCES zone_identities ON DELETE CASCADE;
ALTER TABLE rules
  DROP CONSTRAINT rules_zone_id_fkey,
  ADD FOREIGN KEY (zone_id) REFERENCES zone_identities ON DELETE CASCADE;
ALTER TABLE rule_lists
  DROP CONSTRAINT rule_lists_zone_id_fkey,
  ADD FOREIGN KEY (zone_id) REFERENCES zone_identities ON DELETE CASCADE;
ALTER TABLE basic_auth_users
  DROP CONSTRAINT basic_auth_users_zone_id_fkey,
  ADD FOREIGN KEY (zone_id) REFERENCES zone_identities ON DELETE CASCADE;

-- Zones deleted in the last 30 days: their rows, with another ban token, which only 1.0.0 restores.
CREATE TABLE zone_deletions (
  id uuid PRIMARY KEY REFERENCES zone_identities ON DELETE CASCADE,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  tag text COLLATE "C" NOT NULL,
  hostnames text[] NOT NULL,
  ban_token text NOT NULL DEFAULT random_ban_token(),
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  revision integer NOT NULL,
  -- Like that of zones.
  search_key text COLLATE "C" NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_by uuid REFERENCES users ON DELETE SET NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX zone_deletions_newest ON zone_deletions (organization_id, deleted_at DESC, id DESC);
CREATE INDEX zone_deletions_created_by ON zone_deletions (created_by);
CREATE INDEX zone_deletions_deleted_by ON zone_deletions (deleted_by);
CREATE INDEX zone_deletions_expiry ON zone_deletions (expires_at);

-- What earlier deletions copied goes back to the tables. The copies no longer count, but the rows do. A rule whose id
-- another zone has meanwhile got remains in the zone's history only.
SELECT add_stored_bytes(organization_id, -sum(bytes)::bigint) FROM deleted_zones GROUP BY organization_id;
INSERT INTO zone_deletions (id, organization_id, name, tag, hostnames, created_by, created_at, updated_at, revision,
  search_key, deleted_at, deleted_by, expires_at)
SELECT id, organization_id, name, tag, hostnames, created_by, created_at, updated_at, revision,
  search_key, deleted_at, deleted_by, expires_at
FROM deleted_zones;
INSERT INTO zone_settings (zone_id, settings) SELECT id, settings FROM deleted_zones;
INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, key_version, content, rank, revision, created_at, updated_at)
SELECT r.id, z.id, r.kind, r.name_key, r.unique_hash, r.key_version, r.content, r.rank, r.revision, r.created_at, r.updated_at
FROM deleted_zones AS z, json_to_recordset(z.rules) AS r (id uuid, kind text, name_key text, unique_hash bytea,
  key_version smallint, content json, rank double precision, revision integer, created_at timestamptz, updated_at timestamptz)
ON CONFLICT (id) DO NOTHING;
INSERT INTO rule_lists (zone_id, kind, revision)
SELECT z.id, l.kind, l.revision
FROM deleted_zones AS z, json_to_recordset(z.rule_lists) AS l (kind text, revision integer);
INSERT INTO basic_auth_users
  (id, zone_id, username, username_key, comment, password_hash, revision, created_at, updated_at)
SELECT u.id, z.id, u.username, u.username_key, u.comment, u.password_hash, u.revision, u.created_at, u.updated_at
FROM deleted_zones AS z, json_to_recordset(z.users) AS u (id uuid, username text, username_key text, comment text,
  password_hash text, revision integer, created_at timestamptz, updated_at timestamptz);

CREATE TEMPORARY TABLE granted ON COMMIT DROP AS
SELECT grantee::regrole::text AS role, privilege_type AS privilege FROM pg_class, aclexplode(relacl)
WHERE oid = 'deleted_zones'::regclass AND grantee NOT IN (0, relowner);
DROP TABLE deleted_zones;
DROP FUNCTION count_bytes_of_deleted_zones_insert(), count_bytes_of_deleted_zones_update(),
  count_bytes_of_deleted_zones_delete(), bytes_of_contents(json, json), replace_ban_token();

-- What previous versions read, write and delete. A later release can drop it with its functions.
CREATE VIEW deleted_zones AS
SELECT z.*, (SELECT settings FROM zone_settings WHERE zone_id = z.id) AS settings,
  (SELECT coalesce(json_agg(json_build_object('id', r.id, 'kind', r.kind, 'name_key', r.name_key,
    'unique_hash', r.unique_hash, 'key_version', r.key_version, 'content', r.content, 'rank', r.rank,
    'revision', r.revision, 'created_at', r.created_at, 'updated_at', r.updated_at)), '[]')
    FROM rules AS r WHERE r.zone_id = z.id) AS rules,
  (SELECT coalesce(json_agg(json_build_object('kind', l.kind, 'revision', l.revision)), '[]')
    FROM rule_lists AS l WHERE l.zone_id = z.id) AS rule_lists,
  (SELECT coalesce(json_agg(json_build_object('id', b.id, 'username', b.username, 'username_key', b.username_key,
    'comment', b.comment, 'password_hash', b.password_hash, 'revision', b.revision, 'created_at', b.created_at,
    'updated_at', b.updated_at)), '[]')
    FROM basic_auth_users AS b WHERE b.zone_id = z.id) AS users,
  (SELECT settings_bytes FROM zone_settings WHERE zone_id = z.id)
    + (SELECT coalesce(sum(content_bytes), 0) FROM rules WHERE zone_id = z.id) AS bytes
FROM zone_deletions AS z;

-- They copy what is in the zone, which is there already. 1.0.0 knows no host names.
CREATE FUNCTION add_deleted_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_deletions (id, organization_id, name, tag, hostnames, created_by, created_at, updated_at, revision,
    search_key, deleted_by, expires_at)
  VALUES (NEW.id, NEW.organization_id, NEW.name, NEW.tag, coalesce(NEW.hostnames, '{}'), NEW.created_by, NEW.created_at, NEW.updated_at,
    NEW.revision, NEW.search_key, NEW.deleted_by, NEW.expires_at);
  RETURN NEW;
END $$;
CREATE TRIGGER deleted_zones_insert INSTEAD OF INSERT ON deleted_zones FOR EACH ROW EXECUTE FUNCTION add_deleted_zone();

-- They add the rows of a restored zone again. Of concurrent deletions, one finds the row.
CREATE FUNCTION remove_deleted_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM zone_deletions WHERE id = OLD.id;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  DELETE FROM zone_settings WHERE zone_id = OLD.id;
  DELETE FROM rules WHERE zone_id = OLD.id;
  DELETE FROM rule_lists WHERE zone_id = OLD.id;
  DELETE FROM basic_auth_users WHERE zone_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER deleted_zones_delete INSTEAD OF DELETE ON deleted_zones FOR EACH ROW EXECUTE FUNCTION remove_deleted_zone();

DO $$
DECLARE
  each record;
BEGIN
  FOR each IN SELECT * FROM granted LOOP
    EXECUTE format('GRANT %s ON deleted_zones, zone_deletions TO %s', each.privilege, each.role);
  END LOOP;
END $$;

-- A zone that is forgotten no longer counts, although everything in it is deleted later, in batches.
CREATE OR REPLACE FUNCTION forget_bytes_of_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_stored_bytes(OLD.organization_id, -sum(bytes)::bigint) FROM (
    SELECT settings_bytes::bigint AS bytes FROM zone_settings WHERE zone_id = OLD.id
    UNION ALL SELECT content_bytes FROM rules WHERE zone_id = OLD.id
    UNION ALL SELECT bytes FROM zone_revisions WHERE zone_id = OLD.id
    UNION ALL SELECT bytes FROM change_sets WHERE zone_id = OLD.id
    UNION ALL SELECT bytes FROM promotions WHERE zone_id = OLD.id
  ) AS rest HAVING count(*) > 0;
  RETURN NULL;
END $$;

-- A backend is in the documents of all zones that name it, or a load balancer over it. Deleted ones are in none, and
-- deleted zones have none.
CREATE OR REPLACE FUNCTION mark_backend_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_publications_due (zone_id)
  WITH named AS (
    SELECT id FROM changed
    UNION SELECT o.load_balancer_id FROM load_balancer_origins AS o JOIN changed ON changed.id = o.origin_server_id
  )
  SELECT z.id FROM zones AS z JOIN (
    SELECT s.zone_id FROM zone_settings AS s JOIN named ON named.id = s.backend_id
    UNION SELECT r.zone_id FROM rules AS r JOIN named ON named.id = r.backend_id
  ) AS naming ON naming.zone_id = z.id;
  RETURN NULL;
END $$;
