-- Zones that were deleted, for 30 days: all that is needed to make them zones again. What is in other tables hangs on their
-- identity. The tables of zones hold none of them, so that names, limits and lists need not ask.
CREATE TABLE deleted_zones (
  id uuid PRIMARY KEY REFERENCES zone_identities ON DELETE CASCADE,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  tag text COLLATE "C" NOT NULL,
  ban_token text NOT NULL,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  revision integer NOT NULL,
  settings json NOT NULL,
  -- Rows of `rules`, `rule_lists` and `basic_auth_users`.
  rules json NOT NULL,
  rule_lists json NOT NULL,
  users json NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_by uuid REFERENCES users ON DELETE SET NULL,
  expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '30 days',
  -- As that of zones.
  search_key text COLLATE "C" NOT NULL
);
CREATE INDEX deleted_zones_newest ON deleted_zones (organization_id, deleted_at DESC, id DESC);
CREATE INDEX deleted_zones_created_by ON deleted_zones (created_by);
CREATE INDEX deleted_zones_deleted_by ON deleted_zones (deleted_by);
CREATE INDEX deleted_zones_expiry ON deleted_zones (expires_at);

-- An identity without an organization is that of no zone any more: what hangs on it is deleted bit by bit.
ALTER TABLE zone_identities
  ALTER COLUMN organization_id DROP NOT NULL,
  DROP CONSTRAINT zone_identities_organization_id_fkey,
  ADD FOREIGN KEY (organization_id) REFERENCES organizations ON DELETE SET NULL;
CREATE INDEX zone_identities_forgotten ON zone_identities (id) WHERE organization_id IS NULL;

-- Change sets and promotions come back with their zone.
ALTER TABLE change_sets
  DROP CONSTRAINT change_sets_zone_id_fkey,
  ADD FOREIGN KEY (zone_id) REFERENCES zone_identities ON DELETE CASCADE;
ALTER TABLE promotions
  DROP CONSTRAINT promotions_zone_id_fkey,
  ADD FOREIGN KEY (zone_id) REFERENCES zone_identities ON DELETE CASCADE;
