-- Organizations with their members, their domains and backends, their audit log, and the bytes that they store.

CREATE TABLE organizations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  -- Denies access to members without a second factor.
  enforce_two_factor boolean NOT NULL DEFAULT false,
  -- The identity provider that sessions of members must come from. Null: any, or a password.
  required_provider text,
  -- Its own limits by name, such as `{"zones": 1000}`. Null: the operator's limits apply.
  limits jsonb,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE organizations IS 'An organization, which owns zones, backends and domains';

-- The context of accounts comes after this one: there, references to users become foreign keys.
CREATE TABLE memberships (
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id uuid NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'editor', 'viewer')),
  joined_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, organization_id)
);
COMMENT ON TABLE memberships IS 'A user in an organization';
-- For lists of members, in order of joining.
CREATE INDEX memberships_organization ON memberships (organization_id, joined_at, user_id);

CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  email text NOT NULL,
  -- The address in lower-case ASCII.
  email_key text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'editor', 'viewer')),
  -- Null once the inviter's account is deleted.
  invited_by uuid,
  -- SHA-256, hex; the token itself is only in the mail.
  hash text NOT NULL CONSTRAINT invitations_hash_unique UNIQUE,
  -- An overdue pending invitation counts as expired; its status is updated when another one replaces it.
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'revoked', 'expired')),
  -- How often it was sent again: limited, and part of the invitation's version.
  resends integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE invitations IS 'An invitation of an address to an organization';
CREATE UNIQUE INDEX invitations_one_pending ON invitations (organization_id, email_key) WHERE status = 'pending';
-- For lists, the newest first.
CREATE INDEX invitations_of_organization ON invitations (organization_id, created_at DESC, id DESC);
-- For revoking what somebody has sent who may no longer invite.
CREATE INDEX invitations_invited_by ON invitations (invited_by);

CREATE TABLE organization_retention (
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  what text COLLATE "C" NOT NULL CHECK (what IN ('auditLog', 'history', 'historyDetail')),
  -- Null: forever.
  days integer CHECK (days > 0),
  PRIMARY KEY (organization_id, what)
);
COMMENT ON TABLE organization_retention IS
  'How long an organization keeps something; without a row, what the operator has set applies';

CREATE TABLE domains (
  id uuid PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Lower-case A-labels.
  name text COLLATE "C" NOT NULL,
  -- What the record in DNS has to contain; everyone may read it there.
  proof text NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'verified', 'lapsing', 'lapsed')),
  state_since timestamptz(3) NOT NULL DEFAULT now(),
  verified_at timestamptz(3),
  checked_at timestamptz(3),
  next_check_at timestamptz(3) NOT NULL,
  -- Of the last check. Null: the record was there, or there was no check yet.
  problem text,
  problem_message text,
  -- Checks without the record in a row, and when the first of them was.
  misses integer NOT NULL DEFAULT 0,
  missing_since timestamptz(3),
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT domains_name_unique UNIQUE (organization_id, name)
);
COMMENT ON TABLE domains IS 'A domain that an organization has proven to control, or is about to';
-- For the next check.
CREATE INDEX domains_due ON domains (next_check_at);
-- For the clean-up of those that were never proven.
CREATE INDEX domains_pending ON domains (created_at) WHERE state = 'pending';

-- Backends: origin servers, and load balancers over them.
CREATE TABLE origin_servers (
  id uuid PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  protocol text NOT NULL CHECK (protocol IN ('http', 'https')),
  -- As written by the client.
  address text NOT NULL,
  -- The host name in lower case, or the canonical form of the IP address.
  address_key text COLLATE "C" NOT NULL,
  port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
  -- Null: that of the load balancer, or of the request.
  request_hostname text,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT origin_servers_name_unique UNIQUE (organization_id, name_key),
  CONSTRAINT origin_servers_address_unique UNIQUE (organization_id, address_key, port),
  -- Target of load balancer origins, which must belong to the same organization as their load balancer.
  CONSTRAINT origin_servers_of_organization UNIQUE (id, organization_id)
);
COMMENT ON TABLE origin_servers IS 'A server from which zones of an organization get their contents';

CREATE TABLE load_balancers (
  id uuid PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  method text NOT NULL CHECK (method IN ('random', 'round_robin', 'least_connections', 'ip_hash')),
  -- For origin servers without one of their own. Null: that of the request.
  request_hostname text,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT load_balancers_name_unique UNIQUE (organization_id, name_key),
  CONSTRAINT load_balancers_of_organization UNIQUE (id, organization_id)
);
COMMENT ON TABLE load_balancers IS 'A way to share requests among origin servers of an organization';

CREATE TABLE load_balancer_origins (
  load_balancer_id uuid NOT NULL,
  -- 1-based position in the list written by the client.
  position integer NOT NULL CHECK (position BETWEEN 1 AND 32),
  origin_server_id uuid NOT NULL,
  -- Cascades from the organization directly: deleting through the load balancer would be too late, because these rows
  -- prevent their origin servers from being deleted.
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  weight integer NOT NULL CHECK (weight BETWEEN 1 AND 1000),
  enabled boolean NOT NULL,
  PRIMARY KEY (load_balancer_id, position),
  CONSTRAINT load_balancer_origins_unique UNIQUE (load_balancer_id, origin_server_id),
  FOREIGN KEY (load_balancer_id, organization_id) REFERENCES load_balancers (id, organization_id) ON DELETE CASCADE,
  FOREIGN KEY (origin_server_id, organization_id) REFERENCES origin_servers (id, organization_id) ON DELETE RESTRICT
);
COMMENT ON TABLE load_balancer_origins IS 'An origin server of a load balancer';
-- For the load balancers that use an origin server.
CREATE INDEX load_balancer_origins_origin_server ON load_balancer_origins (origin_server_id);
-- For deleting an organization.
CREATE INDEX load_balancer_origins_organization ON load_balancer_origins (organization_id);

-- The tallies of an organization add up to its bytes: a change adds to one that no other transaction has locked, or adds
-- one, so it never waits. What counts is in the tables whose triggers call `add_stored_bytes`: once for each statement and
-- organization, so that a statement that writes many rows does not write the same tally as often.
CREATE TABLE stored_bytes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- May be negative.
  bytes bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE stored_bytes IS 'A part of the bytes that an organization stores; a single one means nothing';
CREATE INDEX stored_bytes_organization ON stored_bytes (organization_id);

-- Does nothing for an organization that is being deleted.
CREATE FUNCTION add_stored_bytes(organization integer, more bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stored_bytes SET bytes = bytes + more WHERE id = (
    SELECT id FROM stored_bytes WHERE organization_id = organization LIMIT 1 FOR UPDATE SKIP LOCKED
  );
  IF NOT FOUND THEN
    INSERT INTO stored_bytes (organization_id, bytes) SELECT o.id, more FROM organizations AS o WHERE o.id = organization;
  END IF;
END $$;

-- Partitioned by month, so that old months can be dropped. Partitions are in a schema of their own: privileges on
-- `audit_log` suffice, and privileges on all tables of this schema do not bypass it. Entries outlive the objects that they
-- mention, so there are no foreign keys.
CREATE SCHEMA audit_log_months;
CREATE SEQUENCE audit_log_ids;
CREATE TABLE audit_log (
  -- In order of recording. Unique within each partition, and globally because nobody assigns ids.
  id bigint NOT NULL DEFAULT nextval('audit_log_ids'),
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  action text COLLATE "C" NOT NULL,
  -- Null: an operator, the service itself, or a caller without an account.
  actor_id uuid,
  -- The session or API token used.
  credential_id text,
  -- The organization whose audit log contains the entry. Null: it is in the log of an account only.
  organization_id integer,
  objects jsonb NOT NULL,
  network text,
  user_agent text
) PARTITION BY RANGE (at);
ALTER SEQUENCE audit_log_ids OWNED BY audit_log.id;
COMMENT ON TABLE audit_log IS 'What somebody has done';
-- For pages, totals and filters of an organization's log.
CREATE INDEX audit_log_of_organization ON audit_log (organization_id, at DESC, id DESC) INCLUDE (action, actor_id)
  WHERE organization_id IS NOT NULL;
-- For the log of an account.
CREATE INDEX audit_log_of_account ON audit_log (actor_id, at DESC, id DESC) WHERE organization_id IS NULL;

-- The clean-up identifies itself, and even then cannot delete entries of the last day.
CREATE FUNCTION refuse_audit_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('zonewright.clean_up', true) = 'audit log' THEN
    IF OLD.at < now() - interval '1 day' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log takes new entries only' USING ERRCODE = 'insufficient_privilege';
END $$;
-- Partitions inherit this trigger, but not the next one, which fires for statements.
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_log_change();
CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change();

-- Catches entries without a partition for their month.
CREATE TABLE audit_log_months.rest PARTITION OF audit_log (PRIMARY KEY (id)) DEFAULT;
CREATE INDEX audit_log_rest_at ON audit_log_months.rest (at);
CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON audit_log_months.rest
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change();

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

-- Drops the oldest month that ended before a time; returns whether there was one.
CREATE FUNCTION drop_audit_log_month(before timestamptz) RETURNS boolean LANGUAGE plpgsql
SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  oldest regclass := (SELECT partition FROM audit_log_partitions() WHERE ends <= before ORDER BY ends LIMIT 1);
BEGIN
  IF oldest IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE %s', oldest);
  RETURN true;
END $$;
