-- The audit log is partitioned by month, so that old months can be dropped. Partitions are in a separate schema:
-- privileges on `audit_log` suffice, and privileges on all tables of this schema do not bypass it.
CREATE SCHEMA audit_log_months;

ALTER TABLE audit_log SET SCHEMA audit_log_months;
ALTER TABLE audit_log_months.audit_log RENAME TO earlier;
-- Partitions inherit the triggers of the partitioned table.
DROP TRIGGER audit_log_append_only ON audit_log_months.earlier;

CREATE SEQUENCE audit_log_ids;
CREATE TABLE audit_log (
  -- In order of recording. Unique within each partition, and globally because nobody assigns ids.
  id bigint NOT NULL DEFAULT nextval('audit_log_ids'),
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
) PARTITION BY RANGE (at);
ALTER SEQUENCE audit_log_ids OWNED BY audit_log.id;
-- For pages, totals and filters of an organization's log; entries without an organization are not indexed.
CREATE INDEX audit_log_of_organization ON audit_log (organization_id, at DESC, id DESC) INCLUDE (action, actor_id)
  WHERE organization_id IS NOT NULL;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_log_change();
CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change();

-- Catches entries without a partition for their month.
CREATE TABLE audit_log_months.rest PARTITION OF audit_log (PRIMARY KEY (id)) DEFAULT;
CREATE INDEX audit_log_rest_at ON audit_log_months.rest (at);
CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON audit_log_months.rest
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change();

-- Earlier entries become one partition, with their indexes and without copying. It ends with this month.
DO $$
DECLARE
  ends timestamptz := (
    SELECT (date_trunc('month', greatest(max(at), now()) AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC'
    FROM audit_log_months.earlier
  );
BEGIN
  IF NOT EXISTS (SELECT FROM audit_log_months.earlier) THEN
    DROP TABLE audit_log_months.earlier;
  ELSE
    PERFORM setval('audit_log_ids', (SELECT max(id) FROM audit_log_months.earlier));
    ALTER TABLE audit_log_months.earlier ALTER COLUMN id DROP IDENTITY;
    EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION audit_log_months.earlier FOR VALUES FROM (MINVALUE) TO (%L)', ends);
  END IF;
END $$;

-- All partitions but the default one, with the end of their time range.
CREATE FUNCTION audit_log_partitions() RETURNS TABLE (partition regclass, ends timestamptz) LANGUAGE sql STABLE AS $$
  SELECT p.oid::regclass, (regexp_match(pg_get_expr(p.relpartbound, p.oid), $re$TO \('([^']+)'\)$re$))[1]::timestamptz
  FROM pg_inherits AS i JOIN pg_class AS p ON p.oid = i.inhrelid
  WHERE i.inhparent = 'audit_log'::regclass AND pg_get_expr(p.relpartbound, p.oid) <> 'DEFAULT'
$$;

-- Creates the partitions of this month and of `ahead` further ones unless they exist. A month with entries in the
-- default partition stays there. The function can do nothing else, so write-only roles may call it. Inserting entries
-- never waits for it.
CREATE FUNCTION make_audit_log_months(ahead integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '200ms' AS $$
DECLARE
  this_month timestamptz := date_trunc('month', now());
  last_month timestamptz := this_month + make_interval(months => ahead);
  month timestamptz;
  name text;
BEGIN
  IF EXISTS (SELECT FROM audit_log_partitions() WHERE ends > last_month) THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('zonewright audit log months', 0));
  month := greatest(this_month, (SELECT max(ends) FROM audit_log_partitions()));
  WHILE month <= last_month LOOP
    name := to_char(month, '"from_"YYYY_MM');
    IF NOT EXISTS (SELECT FROM audit_log_months.rest WHERE at >= month AND at < month + interval '1 month') THEN
      EXECUTE format('CREATE TABLE audit_log_months.%I (LIKE audit_log INCLUDING DEFAULTS, PRIMARY KEY (id))', name);
      EXECUTE format('CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON audit_log_months.%I
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change()', name);
      EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION audit_log_months.%I FOR VALUES FROM (%L) TO (%L)',
        name, month, month + interval '1 month');
    END IF;
    month := month + interval '1 month';
  END LOOP;
END $$;

SELECT make_audit_log_months(3);
