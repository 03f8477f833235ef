-- Names that organizations have proven to control, or are about to.
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
  -- Of the last look.
  problem text,
  problem_message text,
  -- Looks without the record in a row, and when the first of them was.
  misses integer NOT NULL DEFAULT 0,
  missing_since timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  CONSTRAINT domains_name_unique UNIQUE (organization_id, name)
);
CREATE INDEX domains_due ON domains (next_check_at);
CREATE INDEX domains_pending ON domains (created_at) WHERE state = 'pending';

-- In the order in which they were written.
ALTER TABLE zones ADD COLUMN hostnames text[] NOT NULL DEFAULT '{}';
ALTER TABLE deleted_zones ADD COLUMN hostnames text[] NOT NULL DEFAULT '{}';

-- The host names of all zones: each belongs to one zone of the installation. The domain is the one that covered the name
-- when the zone got it; it cannot be removed before.
CREATE TABLE host_names (
  name text COLLATE "C" PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  domain_id uuid CONSTRAINT host_names_domain REFERENCES domains
);
CREATE INDEX host_names_zone ON host_names (zone_id);
CREATE INDEX host_names_domain_id ON host_names (domain_id);
