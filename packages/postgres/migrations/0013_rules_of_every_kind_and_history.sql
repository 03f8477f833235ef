-- Rules of every kind in one table: what differs between the kinds is in the JSON text written by the service and
-- copied into responses without parsing.
CREATE TABLE rules (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL
    CHECK (kind IN ('configurationRule', 'rewriteRule', 'accessRule', 'securityScenario')),
  -- Case-folded name, in byte order so that sorting does not depend on the locale.
  name_key text COLLATE "C" NOT NULL,
  -- SHA-256 of what must be unique in a list besides the name; null for kinds without such a key.
  unique_hash bytea,
  content json NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The backend that a configuration rule refers to.
  backend_id uuid GENERATED ALWAYS AS ((content -> 'settingsOverrides' -> 'defaultBackend' ->> 'id')::uuid) STORED,
  -- Checked at the end of a statement, so that one statement can swap names.
  CONSTRAINT rules_name_unique UNIQUE (zone_id, kind, name_key) DEFERRABLE INITIALLY IMMEDIATE,
  CONSTRAINT rules_key_unique UNIQUE (zone_id, kind, unique_hash) DEFERRABLE INITIALLY IMMEDIATE
);
ALTER TABLE rules ALTER COLUMN content SET STORAGE MAIN;
CREATE INDEX rules_backend ON rules (backend_id) WHERE backend_id IS NOT NULL;

-- The evaluation order of a rule list: a rule's position is its index, so there are no gaps. `revision` increases with
-- every write to the list or one of its rules. A list that was never written has no row.
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
  -- Case-folded, for searching lists.
  ADD COLUMN username_key text COLLATE "C" NOT NULL,
  ADD COLUMN comment text NOT NULL,
  -- bcrypt ($2y$) or SHA-512 crypt ($6$), which proxies can verify.
  ADD COLUMN password_hash text NOT NULL CHECK (password_hash ~ '^\$(2y|6)\$'),
  ADD COLUMN revision integer NOT NULL DEFAULT 1,
  ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD CONSTRAINT basic_auth_users_name_unique UNIQUE (zone_id, username);
ALTER TABLE basic_auth_users ALTER COLUMN username TYPE text COLLATE "C";
DROP INDEX basic_auth_users_zone;

-- History of zones, append-only. The number is the zone's revision.
CREATE TABLE zone_revisions (
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  number integer NOT NULL,
  action text NOT NULL,
  -- Ids of the objects changed inside the zone, by kind.
  objects json NOT NULL,
  author uuid REFERENCES users ON DELETE SET NULL,
  -- Merge patches for the zone's document, forward and inverse.
  patch json NOT NULL,
  inverse json NOT NULL,
  -- The complete document, at regular intervals.
  snapshot json,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (zone_id, number)
);
CREATE INDEX zone_revisions_snapshots ON zone_revisions (zone_id, number) WHERE snapshot IS NOT NULL;
CREATE INDEX zone_revisions_author ON zone_revisions (author);

-- The history of existing zones begins with their current state.
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
