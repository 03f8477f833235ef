-- Zones: their settings, rules and basic-auth users, the history of all that, and zones that can still be restored.

-- Deleting a zone deletes its row in `zones` only. What is in it refers to its identity, so it stays and can be restored.
CREATE TABLE zone_identities (
  id uuid PRIMARY KEY,
  -- Null: the zone cannot be restored any more; the rows that refer to its identity are deleted in batches.
  organization_id integer REFERENCES organizations ON DELETE SET NULL,
  -- From this number on the zone has every revision; of earlier ones, this many are kept. Avoids counting them.
  history_whole_from integer NOT NULL DEFAULT 1,
  history_kept_before integer NOT NULL DEFAULT 0
);
COMMENT ON TABLE zone_identities IS 'The id of a zone, also of one that was deleted';
-- For deleting an organization.
CREATE INDEX zone_identities_organization ON zone_identities (organization_id);
-- For the clean-up.
CREATE INDEX zone_identities_forgotten ON zone_identities (id) WHERE organization_id IS NULL;

-- Deliberately narrow: lists read only this table and the settings. Every change inside a zone raises its revision. The
-- fill factor leaves space on each page for new row versions: an update of unindexed columns then writes no index (HOT).
CREATE TABLE zones (
  id uuid PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  tag text COLLATE "C" NOT NULL CHECK (tag IN ('prod', 'stage', 'dev')),
  -- In the order in which they were written.
  hostnames text[] NOT NULL DEFAULT '{}',
  -- Keyed hash, for comparisons.
  ban_token_hash text NOT NULL CONSTRAINT zones_ban_token_unique UNIQUE,
  -- Encrypted. Null only inside the transaction that restores the zone.
  sealed_ban_token text,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Names contain no line feeds, so no match spans both parts.
  search_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (name_key || E'\n' || id::text) STORED,
  CONSTRAINT zones_name_unique UNIQUE (organization_id, tag, name_key) INCLUDE (id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
COMMENT ON TABLE zones IS 'A zone: a site with its own configuration';
-- Each sort order of the zone list, with or without tags, matches an index within an organization or within one of its
-- tags: a page reads no more entries of each than it shows. By name within tags, that is `zones_name_unique`.
CREATE INDEX zones_by_id ON zones (organization_id, id);
CREATE INDEX zones_by_tag ON zones (organization_id, tag, id);
CREATE INDEX zones_by_creation ON zones (organization_id, tag, created_at, id);
CREATE INDEX zones_by_update ON zones (organization_id, tag, updated_at, id);
CREATE INDEX zones_by_name ON zones (organization_id, name_key, id) INCLUDE (tag);
-- The pairs of successive characters in a name, each with its organization: a search costs as much as an organization's own
-- names, however many others match. Shorter texts, and those that may be part of an id, read `zones_by_name`.
CREATE FUNCTION name_pairs(organization integer, name text) RETURNS bigint[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(SELECT hashtextextended(substr(name, n, 2), organization) FROM generate_series(1, length(name) - 1) AS n);
CREATE INDEX zones_by_name_pairs ON zones USING gin (name_pairs(organization_id, name_key)) WITH (fastupdate = off);
-- For deleting a user.
CREATE INDEX zones_created_by ON zones (created_by) WHERE created_by IS NOT NULL;

CREATE FUNCTION identify_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_identities (id, organization_id) VALUES (NEW.id, NEW.organization_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER zones_identified AFTER INSERT ON zones FOR EACH ROW EXECUTE FUNCTION identify_zone();

-- Exact totals without counting.
CREATE TABLE zone_tallies (
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  tag text COLLATE "C" NOT NULL,
  zones integer NOT NULL CHECK (zones >= 0),
  PRIMARY KEY (organization_id, tag)
);
COMMENT ON TABLE zone_tallies IS 'The number of zones of an organization with a tag';

CREATE FUNCTION tally_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE zone_tallies SET zones = zones - 1 WHERE organization_id = OLD.organization_id AND tag = OLD.tag;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO zone_tallies AS t (organization_id, tag, zones) VALUES (NEW.organization_id, NEW.tag, 1)
    ON CONFLICT (organization_id, tag) DO UPDATE SET zones = t.zones + 1;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER zones_tally AFTER INSERT OR DELETE ON zones FOR EACH ROW EXECUTE FUNCTION tally_zone();
CREATE TRIGGER zones_tally_tag AFTER UPDATE OF tag ON zones FOR EACH ROW
  WHEN (OLD.tag IS DISTINCT FROM NEW.tag) EXECUTE FUNCTION tally_zone();

CREATE TABLE host_names (
  -- Each belongs to one zone of the installation.
  name text COLLATE "C" PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  -- The one that covered the name when the zone got it; it cannot be removed before. Null: names need no domain here.
  domain_id uuid CONSTRAINT host_names_domain REFERENCES domains
);
COMMENT ON TABLE host_names IS 'A host name of a zone; a deleted zone has none';
CREATE INDEX host_names_zone ON host_names (zone_id);
-- For removing a domain.
CREATE INDEX host_names_domain_id ON host_names (domain_id);

-- The text as the service writes it, copied into responses without parsing; inline and uncompressed as long as it fits.
CREATE TABLE zone_settings (
  zone_id uuid PRIMARY KEY REFERENCES zone_identities ON DELETE CASCADE,
  settings json NOT NULL,
  -- So that a page can be measured without reading the texts.
  settings_bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(settings::text)) STORED,
  -- The backend in the settings, for finding a backend's users. No foreign key, because a backend is in one of two tables.
  -- Instead, both using and deleting a backend lock its row.
  backend_id uuid GENERATED ALWAYS AS ((settings -> 'defaultBackend' ->> 'id')::uuid) STORED
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE zone_settings ALTER COLUMN settings SET STORAGE MAIN;
COMMENT ON TABLE zone_settings IS 'The settings of a zone';
CREATE INDEX zone_settings_backend ON zone_settings (backend_id) WHERE backend_id IS NOT NULL;

CREATE TABLE rules (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zone_identities ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL
    CHECK (kind IN ('configurationRule', 'rewriteRule', 'accessRule', 'securityScenario')),
  name_key text COLLATE "C" NOT NULL,
  -- SHA-256 of what must be unique in a list besides the name, such as the conditions. Null for kinds without such a key.
  unique_hash bytea,
  -- The text as the service writes it, with all that differs between the kinds. A long one is out of line, so that moving
  -- the rule does not write it again.
  content json NOT NULL,
  -- So that a page can be measured without reading the texts.
  content_bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(content::text)) STORED,
  -- The backend that a configuration rule refers to, as in `zone_settings`.
  backend_id uuid GENERATED ALWAYS AS ((content -> 'settingsOverrides' -> 'defaultBackend' ->> 'id')::uuid) STORED,
  -- Orders the list: moving a rule writes only that rule.
  rank double precision NOT NULL,
  -- The first one is its zone's, so that a deleted and restored rule never reuses a revision for different content.
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Checked at the end of a statement, so that one statement can swap names or reorder a whole list.
  CONSTRAINT rules_name_unique UNIQUE (zone_id, kind, name_key) DEFERRABLE INITIALLY IMMEDIATE,
  CONSTRAINT rules_key_unique UNIQUE (zone_id, kind, unique_hash) DEFERRABLE INITIALLY IMMEDIATE,
  CONSTRAINT rules_rank_unique UNIQUE (zone_id, kind, rank) DEFERRABLE INITIALLY IMMEDIATE
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
COMMENT ON TABLE rules IS 'A rule of any kind in a list of a zone';
CREATE INDEX rules_backend ON rules (backend_id) WHERE backend_id IS NOT NULL;

CREATE TABLE rule_lists (
  zone_id uuid NOT NULL REFERENCES zone_identities ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL,
  -- Increases with every write to the list or one of its rules.
  revision integer NOT NULL DEFAULT 1,
  PRIMARY KEY (zone_id, kind)
) WITH (fillfactor = 80);
COMMENT ON TABLE rule_lists IS 'The rules of a kind of a zone as a whole; a list that was never written has no row';

CREATE TABLE retired_rules (
  zone_id uuid NOT NULL REFERENCES zone_identities ON DELETE CASCADE,
  id uuid NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- The revision of the zone that removed the rule.
  revision integer NOT NULL,
  PRIMARY KEY (zone_id, id, kind)
);
COMMENT ON TABLE retired_rules IS
  'A rule that a zone had: no other list can have its id as long as the history goes back to its removal';
-- For the clean-up of history.
CREATE INDEX retired_rules_revision ON retired_rules (zone_id, revision);

-- The rules of a forgotten zone, which has no row in `zones`, are not retired.
CREATE FUNCTION retire_rules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO retired_rules (zone_id, id, kind, revision)
  SELECT removed.zone_id, removed.id, removed.kind, z.revision FROM removed JOIN zones AS z ON z.id = removed.zone_id
  ON CONFLICT (zone_id, id, kind) DO UPDATE SET revision = excluded.revision;
  RETURN NULL;
END $$;
CREATE TRIGGER rules_retired AFTER DELETE ON rules REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION retire_rules();

CREATE TABLE basic_auth_users (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zone_identities ON DELETE CASCADE,
  username text COLLATE "C" NOT NULL,
  username_key text COLLATE "C" NOT NULL,
  comment text NOT NULL,
  -- bcrypt ($2y$) or SHA-512 crypt ($6$), which proxies can verify.
  password_hash text NOT NULL CHECK (password_hash ~ '^\$(2y|6)\$'),
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT basic_auth_users_name_unique UNIQUE (zone_id, username)
);
COMMENT ON TABLE basic_auth_users IS 'A name and a password by which a zone admits its visitors';

-- A revision is stored as a patch, a snapshot, or a reference: a restoration has the settings and rules of one revision and
-- the rest of another one, adjusted.
CREATE TABLE zone_revisions (
  zone_id uuid NOT NULL REFERENCES zone_identities ON DELETE CASCADE,
  -- The zone's revision.
  number integer NOT NULL,
  action text NOT NULL,
  -- Ids of the objects changed inside the zone, by kind.
  objects json NOT NULL,
  author uuid REFERENCES users ON DELETE SET NULL,
  -- Merge patch on the document before. Null for a revision with a snapshot, and for a reference.
  patch json,
  -- Merge patch back to the document before. Empty, unless the revision before is gone.
  inverse json NOT NULL,
  -- The complete document, at regular intervals.
  snapshot json,
  -- Of a reference: the two revisions, and a merge patch from there to the document if that differs.
  contents_from integer,
  rest_from integer,
  adjustment json,
  -- Total bytes of the patches from the latest snapshot up to this revision, inclusive; 0 for a revision with a snapshot.
  replay_bytes integer NOT NULL DEFAULT 0,
  -- Ordered with changes of backends, which may be less than a millisecond apart.
  created_at timestamptz NOT NULL DEFAULT now(),
  -- What it counts in its organization.
  bytes integer NOT NULL GENERATED ALWAYS AS (
    200 + coalesce(octet_length(patch::text), 0) + coalesce(octet_length(nullif(inverse::text, '{}')), 0)
      + coalesce(octet_length(snapshot::text), 0) + coalesce(octet_length(adjustment::text), 0)
  ) STORED,
  PRIMARY KEY (zone_id, number),
  CONSTRAINT zone_revisions_contents FOREIGN KEY (zone_id, contents_from) REFERENCES zone_revisions,
  CONSTRAINT zone_revisions_rest FOREIGN KEY (zone_id, rest_from) REFERENCES zone_revisions
  -- Mostly append-only: keeps the visibility map current for index-only scans of totals and clean-up.
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
COMMENT ON TABLE zone_revisions IS 'A version in the history of a zone';
-- For the snapshot from which a version is replayed.
CREATE INDEX zone_revisions_snapshots ON zone_revisions (zone_id, number) WHERE snapshot IS NOT NULL;
-- For deleting what is referred to.
CREATE INDEX zone_revisions_contents ON zone_revisions (zone_id, contents_from) WHERE contents_from IS NOT NULL;
CREATE INDEX zone_revisions_rest ON zone_revisions (zone_id, rest_from) WHERE rest_from IS NOT NULL;
-- For deleting a user.
CREATE INDEX zone_revisions_author ON zone_revisions (author);

CREATE TABLE backend_revisions (
  -- No foreign key, because history outlives deleted backends.
  backend_id uuid NOT NULL,
  -- The backend's own number: from 1, without gaps.
  number integer NOT NULL,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('origin_server', 'load_balancer')),
  action text NOT NULL,
  author uuid REFERENCES users ON DELETE SET NULL,
  -- The writable members of the backend. Null after deletion.
  state json,
  -- The state before this revision once the previous one has been removed, so that each revision still shows its change.
  before json,
  -- Time of the insert, while the backend is locked: a change of a zone that uses it is either before or after.
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (backend_id, number)
);
COMMENT ON TABLE backend_revisions IS 'A version in the history of an origin server or a load balancer';
-- For deleting an organization, and a user.
CREATE INDEX backend_revisions_organization ON backend_revisions (organization_id);
CREATE INDEX backend_revisions_author ON backend_revisions (author);
-- For the clean-up of deleted backends that no zone needs.
CREATE INDEX backend_revisions_deletions ON backend_revisions (backend_id) WHERE state IS NULL;

CREATE TABLE zone_backends (
  backend_id uuid NOT NULL,
  zone_id uuid NOT NULL REFERENCES zone_identities ON DELETE CASCADE,
  PRIMARY KEY (backend_id, zone_id)
);
COMMENT ON TABLE zone_backends IS
  'A backend that a revision of a zone names, or an origin server behind it: its history is kept after its deletion';
CREATE INDEX zone_backends_zone ON zone_backends (zone_id);

CREATE TABLE zone_deletions (
  id uuid PRIMARY KEY REFERENCES zone_identities ON DELETE CASCADE,
  -- As it was in `zones`. A restored zone gets another ban token, so there is none.
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  tag text COLLATE "C" NOT NULL,
  hostnames text[] NOT NULL,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  revision integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  search_key text COLLATE "C" NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_by uuid REFERENCES users ON DELETE SET NULL,
  expires_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE zone_deletions IS 'A deleted zone that can be restored';
-- For lists.
CREATE INDEX zone_deletions_newest ON zone_deletions (organization_id, deleted_at DESC, id DESC);
-- For the clean-up.
CREATE INDEX zone_deletions_expiry ON zone_deletions (expires_at);
-- For deleting a user.
CREATE INDEX zone_deletions_created_by ON zone_deletions (created_by);
CREATE INDEX zone_deletions_deleted_by ON zone_deletions (deleted_by);

-- What an organization stores, in bytes of text: settings and rules of its zones, deleted ones included, and their histories;
-- drafts and promotions are added by the context of review. Each revision, draft and promotion counts 200 bytes more, which
-- its other columns take (`bytesPerRow`). A forgotten zone has no organization, so it does not count.
CREATE FUNCTION count_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_stored_bytes(z.organization_id, sum(r.bytes))
    FROM added AS r JOIN zone_identities AS z ON z.id = r.zone_id
    WHERE z.organization_id IS NOT NULL GROUP BY z.organization_id;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM add_stored_bytes(z.organization_id, -sum(r.bytes))
    FROM removed AS r JOIN zone_identities AS z ON z.id = r.zone_id
    WHERE z.organization_id IS NOT NULL GROUP BY z.organization_id;
  ELSE
    PERFORM add_stored_bytes(z.organization_id, sum(r.bytes)) FROM (
      SELECT zone_id, bytes FROM added UNION ALL SELECT zone_id, -bytes FROM removed
    ) AS r JOIN zone_identities AS z ON z.id = r.zone_id
    WHERE z.organization_id IS NOT NULL GROUP BY z.organization_id HAVING sum(r.bytes) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bytes_insert AFTER INSERT ON zone_revisions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();
CREATE TRIGGER bytes_update AFTER UPDATE ON zone_revisions REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();
CREATE TRIGGER bytes_delete AFTER DELETE ON zone_revisions REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();

-- The same for settings.
CREATE FUNCTION count_bytes_of_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_stored_bytes(z.organization_id, sum(r.settings_bytes))
    FROM added AS r JOIN zone_identities AS z ON z.id = r.zone_id
    WHERE z.organization_id IS NOT NULL GROUP BY z.organization_id;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM add_stored_bytes(z.organization_id, -sum(r.settings_bytes))
    FROM removed AS r JOIN zone_identities AS z ON z.id = r.zone_id
    WHERE z.organization_id IS NOT NULL GROUP BY z.organization_id;
  ELSE
    PERFORM add_stored_bytes(z.organization_id, sum(r.settings_bytes)) FROM (
      SELECT zone_id, settings_bytes FROM added UNION ALL SELECT zone_id, -settings_bytes FROM removed
    ) AS r JOIN zone_identities AS z ON z.id = r.zone_id
    WHERE z.organization_id IS NOT NULL GROUP BY z.organization_id HAVING sum(r.settings_bytes) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bytes_insert AFTER INSERT ON zone_settings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes_of_settings();
CREATE TRIGGER bytes_update AFTER UPDATE ON zone_settings REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes_of_settings();
CREATE TRIGGER bytes_delete AFTER DELETE ON zone_settings REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes_of_settings();

-- The same for rules.
CREATE FUNCTION count_bytes_of_rules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_stored_bytes(z.organization_id, sum(r.content_bytes))
    FROM added AS r JOIN zone_identities AS z ON z.id = r.zone_id
    WHERE z.organization_id IS NOT NULL GROUP BY z.organization_id;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM add_stored_bytes(z.organization_id, -sum(r.content_bytes))
    FROM removed AS r JOIN zone_identities AS z ON z.id = r.zone_id
    WHERE z.organization_id IS NOT NULL GROUP BY z.organization_id;
  ELSE
    PERFORM add_stored_bytes(z.organization_id, sum(r.content_bytes)) FROM (
      SELECT zone_id, content_bytes FROM added UNION ALL SELECT zone_id, -content_bytes FROM removed
    ) AS r JOIN zone_identities AS z ON z.id = r.zone_id
    WHERE z.organization_id IS NOT NULL GROUP BY z.organization_id HAVING sum(r.content_bytes) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bytes_insert AFTER INSERT ON rules REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes_of_rules();
CREATE TRIGGER bytes_update AFTER UPDATE ON rules REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes_of_rules();
CREATE TRIGGER bytes_delete AFTER DELETE ON rules REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes_of_rules();
