-- Merge patch on the base of a change set created by a promotion: the common ancestor in conflicts between source and
-- target. Null for others, and once the set is rewritten.
ALTER TABLE change_sets ADD COLUMN disputed json;

-- Promotions between zones. Each has created a change set and is deleted with it.
CREATE TABLE promotions (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  change_set_id uuid NOT NULL UNIQUE REFERENCES change_sets ON DELETE CASCADE,
  -- No foreign key: the source may be deleted.
  source_id uuid NOT NULL,
  from_revision integer NOT NULL,
  to_revision integer NOT NULL,
  base_from_revision integer,
  base_to_revision integer,
  -- Further parameters; equal texts are equal requests.
  request text NOT NULL,
  report json NOT NULL,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  CHECK ((base_from_revision IS NULL) = (base_to_revision IS NULL))
);
CREATE INDEX promotions_zone ON promotions (zone_id, created_at, id);
CREATE INDEX promotions_source ON promotions (zone_id, source_id, from_revision, to_revision);
CREATE INDEX promotions_creator ON promotions (created_by);
