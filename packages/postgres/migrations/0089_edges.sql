-- Edges answer requests for zones. Tokens and keys are stored as hashes.
CREATE TABLE edges (
  id uuid PRIMARY KEY,
  name text COLLATE "C" NOT NULL CONSTRAINT edges_name_unique UNIQUE,
  -- Empty: all.
  tags text[] NOT NULL,
  organizations integer[] NOT NULL,
  stage text NOT NULL CHECK (stage IN ('canary', 'main')),
  is_draining boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null once it is used.
  token_hash text CONSTRAINT edges_token_unique UNIQUE,
  token_expires_at timestamptz(3) NOT NULL,
  key_hash text CONSTRAINT edges_key_unique UNIQUE,
  enrolled_at timestamptz(3)
);

-- The last report of each edge.
CREATE TABLE edge_states (
  edge_id uuid PRIMARY KEY REFERENCES edges ON DELETE CASCADE,
  started_at text NOT NULL,
  reported_at timestamptz(3) NOT NULL,
  -- Up to where it has applied the feed; null if this database does not know the position.
  position bigint,
  version text NOT NULL,
  semantics integer NOT NULL,
  applied integer NOT NULL,
  rejected jsonb NOT NULL,
  purged bigint NOT NULL,
  proxy jsonb NOT NULL,
  capabilities text[] NOT NULL
) WITH (fillfactor = 50);

-- Publications in the order of their commits; each assigns the positions after those of the one before. A restored
-- database gives other nonces to the same numbers.
CREATE TABLE edge_publications (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  last_position bigint NOT NULL,
  nonce uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO edge_publications (last_position) VALUES (0);

-- Named by the SHA-256 of what they contain, compressed with gzip.
CREATE TABLE edge_documents (
  digest text COLLATE "C" PRIMARY KEY,
  bytes bytea NOT NULL,
  published_at timestamptz(3) NOT NULL
);
ALTER TABLE edge_documents ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- What edges of each stage are offered of a zone; without a digest they remove it. It outlives the zone.
CREATE TABLE edge_zones (
  zone_id uuid NOT NULL,
  stage text NOT NULL CHECK (stage IN ('canary', 'main')),
  position bigint NOT NULL,
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
  PRIMARY KEY (zone_id, stage)
);
CREATE INDEX edge_zones_pending ON edge_zones (position) WHERE is_pending;
CREATE INDEX edge_zones_position ON edge_zones (stage, position);
CREATE INDEX edge_zones_digest ON edge_zones (digest);

-- How documents were made last, one row: another version may make others of the same zones.
CREATE TABLE edge_document_makers (maker text PRIMARY KEY);
