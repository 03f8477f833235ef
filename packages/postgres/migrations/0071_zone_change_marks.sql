-- Names the transactions that last changed zones of an organization, so that a list read in an earlier snapshot is known to
-- be current without reading it again: no mark is by a transaction that the snapshot does not see. A transaction marks
-- the first row that no other one has locked, and adds a row if there is none: it never waits, and an organization has at
-- most as many rows as transactions ever changed its zones at the same time.
CREATE TABLE zone_change_marks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  changed_by xid8 NOT NULL DEFAULT pg_current_xact_id()
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX zone_change_marks_organization ON zone_change_marks (organization_id);

-- The highest mark comes first: in a restored database it may be that of a transaction yet to come.
CREATE FUNCTION mark_zone_change(organization integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free bigint := (
    SELECT id FROM zone_change_marks WHERE organization_id = organization
    ORDER BY changed_by DESC LIMIT 1 FOR UPDATE SKIP LOCKED
  );
BEGIN
  UPDATE zone_change_marks SET changed_by = DEFAULT WHERE id = free AND changed_by <> pg_current_xact_id();
  IF free IS NULL THEN
    INSERT INTO zone_change_marks (organization_id) VALUES (organization);
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
