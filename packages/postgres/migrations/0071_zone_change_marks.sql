-- Marks of the latest changes of zones, which show whether a list that was read earlier is current: two states of the
-- database with the same marks of an organization have the same zones in it (decision 0034). A change replaces the mark that
-- its transaction has set before, or else one that no other transaction has locked, or else adds one: it never waits.
CREATE TABLE zone_change_marks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  mark uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The transaction, whose number alone may recur in a restored database.
  changed_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  changed_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX zone_change_marks_organization ON zone_change_marks (organization_id);

CREATE FUNCTION mark_zone_change(organization integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free zone_change_marks;
BEGIN
  SELECT * INTO free FROM zone_change_marks WHERE organization_id = organization
  ORDER BY changed_by = pg_current_xact_id() DESC LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    INSERT INTO zone_change_marks (organization_id) VALUES (organization);
  ELSIF free.changed_by <> pg_current_xact_id() OR free.changed_at <> now() THEN
    UPDATE zone_change_marks SET mark = DEFAULT, changed_by = DEFAULT, changed_at = DEFAULT WHERE id = free.id;
  END IF;
END $$;

CREATE FUNCTION mark_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM mark_zone_change(OLD.organization_id);
  END IF;
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND NEW.organization_id <> OLD.organization_id THEN
    PERFORM mark_zone_change(NEW.organization_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER zones_marked AFTER INSERT OR UPDATE OR DELETE ON zones FOR EACH ROW EXECUTE FUNCTION mark_zone();

INSERT INTO zone_change_marks (organization_id) SELECT DISTINCT organization_id FROM zones;
