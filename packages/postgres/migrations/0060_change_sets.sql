-- Drafts of zones, open until applied or until their time is over; discarding one ends its time.
CREATE TABLE change_sets (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones ON DELETE CASCADE,
  title text NOT NULL,
  -- Case-folded, for searching lists.
  title_key text COLLATE "C" NOT NULL,
  description text NOT NULL,
  base integer NOT NULL,
  patch json NOT NULL,
  -- As written; null when a patch was written.
  operations json,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  applied_revision integer,
  applied_by uuid REFERENCES users ON DELETE SET NULL,
  applied_at timestamptz(3),
  revision integer NOT NULL DEFAULT 1,
  CHECK ((applied_revision IS NULL) = (applied_at IS NULL))
);
CREATE INDEX change_sets_zone ON change_sets (zone_id, created_at, id);
-- Sets that are open or due for deletion.
CREATE INDEX change_sets_unapplied ON change_sets (zone_id, ends_at) WHERE applied_at IS NULL;
CREATE INDEX change_sets_ended ON change_sets (ends_at) WHERE applied_at IS NULL;
CREATE INDEX change_sets_creator ON change_sets (created_by);
CREATE INDEX change_sets_applier ON change_sets (applied_by);
