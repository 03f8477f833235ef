-- Rules of every kind in one table: what tells the kinds apart is in the JSON text the service wrote, spliced into answers
-- without being parsed.
CREATE TABLE rules (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL
    CHECK (kind IN ('configurationRule', 'rewriteRule', 'accessRule', 'securityScenario')),
  -- The name without letter case; byte order, so that it sorts the same everywhere.
  name_key text COLLATE "C" NOT NULL,
  -- SHA-256 of what no two rules of a list may share besides their names; null for kinds without.
  unique_hash bytea,
  content json NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The backend that a configuration rule names.
  backend_id uuid GENERATED ALWAYS AS ((content -> 'settingsOverrides' -> 'defaultBackend' ->> 'id')::uuid) STORED,
  -- Checked when a statement ends, so that one statement can give two rules each other's names.
  CONSTRAINT rules_name_unique UNIQUE (zone_id, kind, name_key) DEFERRABLE INITIALLY IMMEDIATE,
  CONSTRAINT rules_key_unique UNIQUE (zone_id, kind, unique_hash) DEFERRABLE INITIALLY IMMEDIATE
);
ALTER TABLE rules ALTER COLUMN content SET STORAGE MAIN;
CREATE INDEX rules_backend ON rules (backend_id) WHERE backend_id IS NOT NULL;

-- The evaluation order of a list of rules: a rule's position is its place in the list, so there are no gaps. `revision`
-- grows with every write of the list or of a rule in it. A list that was never written to has no row.
CREATE TABLE rule_orders (
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL,
  rule_ids uuid[] NOT NULL DEFAULT '{}',
  revision integer NOT NULL DEFAULT 1,
  PRIMARY KEY (zone_id, kind)
);

INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, content, revision, created_at, updated_at)
SELECT id, zone_id, 'configurationRule', name_key, conditions_hash,
  ('{"name":' || to_json(name)::text || ',"description":' || to_json(description)::text || ',"enabled":' || enabled::text
    || ',"conditions":' || conditions::text || ',"stopOnMatch":' || stop_on_match::text
    || ',"settingsOverrides":' || settings_overrides::text || '}')::json,
  revision, created_at, updated_at
FROM configuration_rules;
INSERT INTO rule_orders (zone_id, kind, rule_ids)
SELECT zone_id, 'configurationRule', rule_ids FROM configuration_rule_orders WHERE cardinality(rule_ids) > 0;

DROP TABLE configuration_rule_orders, configuration_rules;
DROP FUNCTION require_complete_rule_order();

-- At commit, an order lists every rule of its list exactly once.
CREATE FUNCTION require_complete_rule_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone uuid := coalesce(NEW.zone_id, OLD.zone_id);
  of_kind text := coalesce(NEW.kind, OLD.kind);
BEGIN
  IF (SELECT array_agg(id ORDER BY id) FROM rules WHERE zone_id = zone AND kind = of_kind)
    IS DISTINCT FROM
    (SELECT array_agg(id ORDER BY id) FROM rule_orders, unnest(rule_ids) AS id WHERE zone_id = zone AND kind = of_kind)
  THEN
    RAISE EXCEPTION 'the order of the % list of zone % does not list each of its rules exactly once', of_kind, zone
      USING ERRCODE = 'check_violation', CONSTRAINT = 'rule_orders_complete';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER rules_ordered AFTER INSERT OR DELETE ON rules
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_complete_rule_order();
CREATE CONSTRAINT TRIGGER rule_orders_complete AFTER INSERT OR UPDATE OF rule_ids OR DELETE ON rule_orders
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_complete_rule_order();

ALTER TABLE basic_auth_users
  ADD COLUMN username text NOT NULL,
  -- Without letter case: what the list is searched by.
  ADD COLUMN username_key text COLLATE "C" NOT NULL,
  ADD COLUMN comment text NOT NULL,
  -- bcrypt ($2y$) or SHA-512 crypt ($6$): what proxies verify.
  ADD COLUMN password_hash text NOT NULL CHECK (password_hash ~ '^\$(2y|6)\$'),
  ADD COLUMN revision integer NOT NULL DEFAULT 1,
  ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD CONSTRAINT basic_auth_users_name_unique UNIQUE (zone_id, username);
ALTER TABLE basic_auth_users ALTER COLUMN username TYPE text COLLATE "C";
DROP INDEX basic_auth_users_zone;

-- What happened to zones: only ever added to. The number is the zone's own revision.
CREATE TABLE zone_revisions (
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  number integer NOT NULL,
  action text NOT NULL,
  -- Ids of what was changed inside the zone, by kind.
  objects json NOT NULL,
  author uuid REFERENCES users ON DELETE SET NULL,
  -- Merge patches on the zone's document: one that makes the change, one that undoes it.
  patch json NOT NULL,
  inverse json NOT NULL,
  -- The whole document, on one revision in so many.
  snapshot json,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (zone_id, number)
);
CREATE INDEX zone_revisions_snapshots ON zone_revisions (zone_id, number) WHERE snapshot IS NOT NULL;
CREATE INDEX zone_revisions_author ON zone_revisions (author);

-- Zones that were there before history begin it as they are now.
INSERT INTO zone_revisions (zone_id, number, action, objects, patch, inverse, snapshot)
SELECT z.id, z.revision, 'zone.created', '{}', '{}', '{}', json_build_object(
  'name', z.name,
  'tag', z.tag,
  'zone_settings', s.settings,
  'rewriteRules', json_build_object('order', '[]'::json, 'items', '{}'::json),
  'configurationRules', json_build_object(
    'order', coalesce((SELECT to_json(rule_ids) FROM rule_orders AS o WHERE o.zone_id = z.id), '[]'::json),
    'items', coalesce((SELECT json_object_agg(r.id, r.content) FROM rules AS r WHERE r.zone_id = z.id), '{}'::json)),
  'accessRules', json_build_object('order', '[]'::json, 'items', '{}'::json),
  'securityScenarios', json_build_object('order', '[]'::json, 'items', '{}'::json),
  'basicAuthUsers', '{}'::json)
FROM zones AS z JOIN zone_settings AS s ON s.zone_id = z.id;
