-- Audit events. Entries outlive the objects they mention, so there are no foreign keys.
CREATE TABLE audit_log (
  -- In order of recording.
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  action text COLLATE "C" NOT NULL,
  actor_id uuid,
  -- The session or API token used.
  credential_id text,
  -- The organization whose audit log contains the entry.
  organization_id integer,
  objects jsonb NOT NULL,
  network text,
  user_agent text
);
-- For pages, totals and filters of an organization's log; entries without an organization are not indexed.
CREATE INDEX audit_log_of_organization ON audit_log (organization_id, at DESC, id DESC) INCLUDE (action, actor_id)
  WHERE organization_id IS NOT NULL;

CREATE FUNCTION refuse_audit_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log takes new entries only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_log_change();
