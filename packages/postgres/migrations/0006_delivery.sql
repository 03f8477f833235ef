-- What edges, which answer requests for zones, are offered and have reported.

CREATE TABLE edges (
  id uuid PRIMARY KEY,
  name text COLLATE "C" NOT NULL CONSTRAINT edges_name_unique UNIQUE,
  -- Of the zones that it serves. Empty: all.
  tags text[] NOT NULL,
  organizations integer[] NOT NULL,
  stage text NOT NULL CHECK (stage IN ('canary', 'main')),
  is_draining boolean NOT NULL DEFAULT false,
  -- SHA-256 of its first token. Null once it is used.
  token_hash text CONSTRAINT edges_token_unique UNIQUE,
  token_expires_at timestamptz(3) NOT NULL,
  -- SHA-256 of the key that it has got for the token. Null until then.
  key_hash text CONSTRAINT edges_key_unique UNIQUE,
  enrolled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE edges IS 'An edge that may read the feed';

CREATE TABLE edge_states (
  edge_id uuid PRIMARY KEY REFERENCES edges ON DELETE CASCADE,
  -- Distinguishes its processes.
  started_at text COLLATE "C" NOT NULL,
  -- A later process with the same one takes over. Null: the process does not say.
  state_id uuid,
  reported_at timestamptz(3) NOT NULL,
  -- Up to where it has applied the feed. Null if this database does not know the position.
  position bigint,
  -- Of its program, and of the meaning of documents.
  version text NOT NULL,
  semantics integer NOT NULL,
  applied integer NOT NULL,
  rejected jsonb NOT NULL,
  purged bigint NOT NULL,
  proxy jsonb NOT NULL,
  unsupported_settings text[] NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE edge_states IS 'The last report of an edge';

CREATE TABLE edge_publications (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Each assigns the positions after those of the one before.
  last_position bigint NOT NULL,
  -- A restored database gives other nonces to the same numbers.
  nonce uuid NOT NULL DEFAULT gen_random_uuid()
);
COMMENT ON TABLE edge_publications IS 'A transaction that has added to the feed, in the order of the commits';
INSERT INTO edge_publications (last_position) VALUES (0);

CREATE TABLE edge_documents (
  -- SHA-256 of what it contains.
  digest text COLLATE "C" PRIMARY KEY,
  -- Compressed with gzip, so not again by this server.
  bytes bytea NOT NULL,
  -- Of the zone that it is about: they say which edges may read it.
  organization_id integer NOT NULL,
  tag text NOT NULL,
  -- Or replaced.
  published_at timestamptz(3) NOT NULL
);
ALTER TABLE edge_documents ALTER COLUMN bytes SET STORAGE EXTERNAL;
COMMENT ON TABLE edge_documents IS 'All that an edge has to know of a zone';

CREATE TABLE edge_zones (
  -- It outlives the zone.
  zone_id uuid NOT NULL,
  stage text NOT NULL CHECK (stage IN ('canary', 'main')),
  -- In the feed.
  position bigint NOT NULL,
  -- Of the document. Null: edges remove the zone.
  digest text COLLATE "C",
  revision integer NOT NULL,
  hostnames text[] NOT NULL,
  organization_id integer NOT NULL,
  tag text NOT NULL,
  -- All that it has had, so that edges that serve only some can remove it.
  former_tags text[] NOT NULL,
  -- Of canary edges: whether the others are not offered it yet, and whether a canary edge has rejected it.
  is_pending boolean NOT NULL DEFAULT false,
  is_halted boolean NOT NULL DEFAULT false,
  published_at timestamptz(3) NOT NULL,
  -- When the last canary edge so far applied a pending change. Null: none has.
  applied_at timestamptz(3),
  -- Since when all connected edges have had it. Before `published_at`, or null: they do not have it yet.
  current_since timestamptz(3),
  PRIMARY KEY (zone_id, stage)
);
COMMENT ON TABLE edge_zones IS 'What edges of a stage are offered of a zone';
-- For the feed after a position.
CREATE INDEX edge_zones_position ON edge_zones (stage, position);
-- For what the others may be offered next.
CREATE INDEX edge_zones_pending ON edge_zones (position) WHERE is_pending;
-- For noting what has arrived everywhere.
CREATE INDEX edge_zones_spreading ON edge_zones (position) WHERE current_since IS NULL OR current_since < published_at;
-- For the clean-up of documents.
CREATE INDEX edge_zones_digest ON edge_zones (digest);

CREATE TABLE edge_document_formats (version text PRIMARY KEY);
COMMENT ON TABLE edge_document_formats IS 'The format of the last documents, one row: another one may make others of the same zones';

-- Rows are only added, and nothing is unique, so that no change waits for another; the publisher removes those that it has
-- worked off.
CREATE TABLE zone_publications_due (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  zone_id uuid NOT NULL,
  -- Whose turn publishes the zone: its organization's, or, after an update that marks all zones, the installation's: 0.
  turn_of integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE zone_publications_due IS 'A zone whose document may have changed, marked by the transaction that changes it';
-- For the oldest marks of an organization.
CREATE INDEX zone_publications_due_turn ON zone_publications_due (turn_of, id) INCLUDE (zone_id);
-- For all marks of a zone.
CREATE INDEX zone_publications_due_zone ON zone_publications_due (zone_id, id);

-- Every change inside a zone raises its revision.
CREATE FUNCTION mark_zone_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_publications_due (zone_id, turn_of)
  VALUES (coalesce(NEW.id, OLD.id), coalesce(NEW.organization_id, OLD.organization_id));
  RETURN NULL;
END $$;
CREATE TRIGGER zones_due AFTER INSERT OR UPDATE OR DELETE ON zones FOR EACH ROW EXECUTE FUNCTION mark_zone_due();

-- A backend is in the documents of all zones that name it, or a load balancer over it. Deleted ones are in none, and
-- deleted zones have none.
CREATE FUNCTION mark_backend_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_publications_due (zone_id, turn_of)
  WITH named AS (
    SELECT id FROM changed
    UNION SELECT o.load_balancer_id FROM load_balancer_origins AS o JOIN changed ON changed.id = o.origin_server_id
  )
  SELECT z.id, z.organization_id FROM zones AS z JOIN (
    SELECT s.zone_id FROM zone_settings AS s JOIN named ON named.id = s.backend_id
    UNION SELECT r.zone_id FROM rules AS r JOIN named ON named.id = r.backend_id
  ) AS naming ON naming.zone_id = z.id;
  RETURN NULL;
END $$;
CREATE TRIGGER origin_servers_due AFTER UPDATE ON origin_servers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_backend_due();
CREATE TRIGGER load_balancers_due AFTER UPDATE ON load_balancers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_backend_due();

-- The state of a domain decides whether the host names that it covers are delivered.
CREATE FUNCTION mark_domain_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_publications_due (zone_id, turn_of)
  SELECT DISTINCT h.zone_id, z.organization_id FROM host_names AS h JOIN zones AS z ON z.id = h.zone_id
  WHERE z.organization_id = NEW.organization_id
    AND (h.name = NEW.name OR right(h.name, length(NEW.name) + 1) = '.' || NEW.name);
  RETURN NULL;
END $$;
CREATE TRIGGER domains_due AFTER UPDATE OF state ON domains
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION mark_domain_due();
