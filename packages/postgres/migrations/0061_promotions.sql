-- Merge patch on the base of a change set that a promotion made: it gives the places in conflict what source and target began
-- with. Null once the set is written anew, and for all others.
ALTER TABLE change_sets ADD COLUMN disputed json;

-- What was brought from one zone to another. Each has made a change set, and goes with it.
CREATE TABLE promotions (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  change_set_id uuid NOT NULL UNIQUE REFERENCES change_sets ON DELETE CASCADE,
  -- No reference: the source may be gone.
  source_id uuid NOT NULL,
  from_revision integer NOT NULL,
  to_revision integer NOT NULL,
  base_from_revision integer,
  base_to_revision integer,
  -- What was asked for besides; equal texts are equal requests.
  request text NOT NULL,
  report json NOT NULL,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  CHECK ((base_from_revision IS NULL) = (base_to_revision IS NULL))
);
CREATE INDEX promotions_zone ON promotions (zone_id, created_at, id);
CREATE INDEX promotions_source ON promotions (zone_id, source_id, from_revision, to_revision);
CREATE INDEX promotions_creator ON promotions (created_by);
