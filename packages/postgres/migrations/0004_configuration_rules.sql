CREATE TABLE configuration_rules (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  description text NOT NULL,
  -- As written by the client.
  conditions json NOT NULL,
  -- SHA-256 of the canonical form.
  conditions_hash bytea NOT NULL,
  enabled boolean NOT NULL,
  stop_on_match boolean NOT NULL,
  settings_overrides json NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT configuration_rules_name_unique UNIQUE (zone_id, name_key),
  CONSTRAINT configuration_rules_conditions_unique UNIQUE (zone_id, conditions_hash)
);

-- The evaluation order of a zone's rules: a rule's position is its index, so there are no gaps.
CREATE TABLE configuration_rule_orders (
  zone_id uuid PRIMARY KEY REFERENCES zones ON DELETE CASCADE,
  rule_ids uuid[] NOT NULL DEFAULT '{}'
);

-- At commit, an order lists every rule of its zone exactly once.
CREATE FUNCTION require_complete_rule_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone uuid := coalesce(NEW.zone_id, OLD.zone_id);
BEGIN
  IF (SELECT array_agg(id ORDER BY id) FROM configuration_rules WHERE zone_id = zone)
    IS DISTINCT FROM
    (SELECT array_agg(id ORDER BY id) FROM configuration_rule_orders, unnest(rule_ids) AS id WHERE zone_id = zone)
  THEN
    RAISE EXCEPTION 'the order of zone % does not list each of its rules exactly once', zone
      USING ERRCODE = 'check_violation', CONSTRAINT = 'configuration_rule_orders_complete';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER configuration_rules_ordered AFTER INSERT OR DELETE ON configuration_rules
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_complete_rule_order();
CREATE CONSTRAINT TRIGGER configuration_rule_orders_complete AFTER INSERT OR UPDATE OR DELETE ON configuration_rule_orders
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_complete_rule_order();
