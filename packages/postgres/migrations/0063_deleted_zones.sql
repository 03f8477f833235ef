-- Zones deleted in the last 30 days, with everything needed to restore them. Rows in other tables refer to their
-- identity. Keeping them out of the zone tables means that names, limits and lists need not filter.
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
  -- Like that of zones.
  search_key text COLLATE "C" NOT NULL
);
CREATE INDEX deleted_zones_newest ON deleted_zones (organization_id, deleted_at DESC, id DESC);
CREATE INDEX deleted_zones_created_by ON deleted_zones (created_by);
CREATE INDEX deleted_zones_deleted_by ON deleted_zones (deleted_by);
CREATE INDEX deleted_zones_expiry ON deleted_zones (expires_at);

-- An identity without an organization belongs to no zone any more: rows that refer to it are deleted in batches.
ALTER TABLE zone_identities
  ALTER COLUMN organization_id DROP NOT NULL,
  DROP CONSTRAINT zone_identities_organization_id_fkey,
  ADD FOREIGN KEY (organization_id) REFERENCES organizations ON DELETE SET NULL;
CREATE INDEX zone_identities_forgotten ON zone_identities (id) WHERE organization_id IS NULL;

-- Change sets and promotions are restored with their zone.
ALTER TABLE change_sets
  DROP CONSTRAINT change_sets_zone_id_fkey,
  ADD FOREIGN KEY (zone_id) REFERENCES zone_identities ON DELETE CASCADE;
ALTER TABLE promotions
  DROP CONSTRAINT promotions_zone_id_fkey,
  ADD FOREIGN KEY (zone_id) REFERENCES zone_identities ON DELETE CASCADE;
