-- Marks of zones whose edge documents may have changed, set by the transaction that changes them. Rows are only added, and
-- nothing is unique, so that no change waits for another; the publisher removes those that it has worked off.
CREATE TABLE zone_publications_due (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  zone_id uuid NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Every change inside a zone raises its revision.
CREATE FUNCTION mark_zones_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_publications_due (zone_id) SELECT DISTINCT id FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER zones_due_insert AFTER INSERT ON zones
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_zones_due();
CREATE TRIGGER zones_due_update AFTER UPDATE ON zones
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_zones_due();
CREATE TRIGGER zones_due_delete AFTER DELETE ON zones
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_zones_due();

-- A backend is in the documents of all zones that name it, or a load balancer over it. Deleted ones are in none.
CREATE FUNCTION mark_backend_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_publications_due (zone_id)
  WITH named AS (
    SELECT id FROM changed
    UNION SELECT o.load_balancer_id FROM load_balancer_origins AS o JOIN changed ON changed.id = o.origin_server_id
  )
  SELECT s.zone_id FROM zone_settings AS s JOIN named ON named.id = s.backend_id
  UNION SELECT r.zone_id FROM rules AS r JOIN named ON named.id = r.backend_id;
  RETURN NULL;
END $$;
CREATE TRIGGER origin_servers_due AFTER UPDATE ON origin_servers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_backend_due();
CREATE TRIGGER load_balancers_due AFTER UPDATE ON load_balancers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_backend_due();

-- The state of a domain decides whether the host names that it covers are delivered.
CREATE FUNCTION mark_domain_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_publications_due (zone_id)
  SELECT DISTINCT h.zone_id FROM host_names AS h JOIN zones AS z ON z.id = h.zone_id
  WHERE z.organization_id = NEW.organization_id
    AND (h.name = NEW.name OR right(h.name, length(NEW.name) + 1) = '.' || NEW.name);
  RETURN NULL;
END $$;
CREATE TRIGGER domains_due AFTER UPDATE OF state ON domains
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION mark_domain_due();
