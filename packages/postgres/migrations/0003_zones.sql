CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Deliberately narrow: lists read only this table, and every change inside a zone updates `revision`.
CREATE TABLE zones (
  id uuid PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations,
  name text NOT NULL,
  -- Case-folded name, in byte order so that sorting does not depend on the locale.
  name_key text COLLATE "C" NOT NULL,
  tag text COLLATE "C" NOT NULL CHECK (tag IN ('prod', 'stage', 'dev')),
  ban_token text NOT NULL CONSTRAINT zones_ban_token_unique UNIQUE,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Searched by the search parameter. Names contain no line feeds, so no match spans both parts.
  search_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (name_key || E'\n' || id::text) STORED,
  CONSTRAINT zones_name_unique UNIQUE (organization_id, name_key, tag)
);
CREATE INDEX zones_by_id ON zones (organization_id, id);
CREATE INDEX zones_search ON zones USING gin (search_key gin_trgm_ops);

-- Settings as the JSON text written by the service and copied into responses without parsing; stored inline and
-- uncompressed as long as they fit.
CREATE TABLE zone_settings (
  zone_id uuid PRIMARY KEY REFERENCES zones ON DELETE CASCADE,
  settings json NOT NULL
) WITH (toast_tuple_target = 8160);
ALTER TABLE zone_settings ALTER COLUMN settings SET STORAGE MAIN;

-- Exact totals without counting: one row per organization and tag, maintained by the transactions that change zones.
CREATE TABLE zone_tallies (
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  tag text COLLATE "C" NOT NULL,
  zones integer NOT NULL CHECK (zones >= 0),
  PRIMARY KEY (organization_id, tag)
);

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

-- Targets of references in settings.
CREATE TABLE origin_servers (
  id uuid PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE
);
CREATE TABLE load_balancers (
  id uuid PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE
);
CREATE TABLE basic_auth_users (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE
);
CREATE INDEX basic_auth_users_zone ON basic_auth_users (zone_id);
