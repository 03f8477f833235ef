-- What people look at before it changes a zone: drafts, and promotions from one zone to another.

CREATE TABLE change_sets (
  id uuid PRIMARY KEY,
  -- Stays with a deleted zone and is restored with it.
  zone_id uuid NOT NULL REFERENCES zone_identities ON DELETE CASCADE,
  title text NOT NULL,
  title_key text COLLATE "C" NOT NULL,
  description text NOT NULL,
  -- The revision of the zone that the patch is for.
  base integer NOT NULL,
  patch json NOT NULL,
  -- As written. Null when a patch was written.
  operations json,
  -- Merge patch on the base of a set that a promotion made: the common ancestor in conflicts between source and target.
  -- Null for others, and once the set is rewritten.
  disputed json,
  -- What the latest merge with the zone found out, at these revisions of set and zone; it counts while the set is at the
  -- former. Null: none yet.
  merge_set_revision integer,
  merge_zone_revision integer,
  merge_conflicted boolean,
  merge_characters integer,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- Open until then, unless it is applied; discarding it ends its time.
  ends_at timestamptz(3) NOT NULL,
  applied_revision integer,
  applied_by uuid REFERENCES users ON DELETE SET NULL,
  applied_at timestamptz(3),
  revision integer NOT NULL DEFAULT 1,
  -- Stored, so that sets can be limited and listed without reading their texts.
  text_bytes integer NOT NULL GENERATED ALWAYS AS (
    octet_length(patch::text) + coalesce(octet_length(operations::text), 0) + coalesce(octet_length(disputed::text), 0)
  ) STORED,
  -- What it counts in its organization.
  bytes integer NOT NULL GENERATED ALWAYS AS (
    200 + octet_length(title) + octet_length(description) + octet_length(patch::text)
      + coalesce(octet_length(operations::text), 0) + coalesce(octet_length(disputed::text), 0)
  ) STORED,
  CHECK ((applied_revision IS NULL) = (applied_at IS NULL))
);
COMMENT ON TABLE change_sets IS 'A draft of changes to a zone, applied later or never';
-- For lists.
CREATE INDEX change_sets_zone ON change_sets (zone_id, created_at, id);
-- For the number of open ones, and for the clean-up.
CREATE INDEX change_sets_unapplied ON change_sets (zone_id, ends_at) WHERE applied_at IS NULL;
CREATE INDEX change_sets_ended ON change_sets (ends_at) WHERE applied_at IS NULL;
-- For deleting a user.
CREATE INDEX change_sets_creator ON change_sets (created_by);
CREATE INDEX change_sets_applier ON change_sets (applied_by);

-- What the clean-up keeps readable for change sets that are not applied: their bases, without which they could not be
-- merged.
CREATE VIEW needed_revisions AS SELECT zone_id, base AS number FROM change_sets WHERE applied_at IS NULL;

CREATE TABLE promotions (
  id uuid PRIMARY KEY,
  -- The target. Stays with a deleted zone and is restored with it.
  zone_id uuid NOT NULL REFERENCES zone_identities ON DELETE CASCADE,
  change_set_id uuid NOT NULL UNIQUE REFERENCES change_sets ON DELETE CASCADE,
  -- No foreign key: the source may be deleted.
  source_id uuid NOT NULL,
  from_revision integer NOT NULL,
  to_revision integer NOT NULL,
  -- Of the last promotion, from which this one continues. Null: there was none.
  base_from_revision integer,
  base_to_revision integer,
  -- Further parameters; equal texts are equal requests.
  request text NOT NULL,
  report json NOT NULL,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  -- What it counts in its organization.
  bytes integer NOT NULL GENERATED ALWAYS AS (200 + octet_length(request) + octet_length(report::text)) STORED,
  CHECK ((base_from_revision IS NULL) = (base_to_revision IS NULL))
);
COMMENT ON TABLE promotions IS 'A transfer from one zone to another, which has made a change set and is deleted with it';
-- For lists.
CREATE INDEX promotions_zone ON promotions (zone_id, created_at, id);
-- For the last one from a source, and for an open one that is the same.
CREATE INDEX promotions_source ON promotions (zone_id, source_id, from_revision, to_revision);
-- For deleting a user.
CREATE INDEX promotions_creator ON promotions (created_by);

CREATE TRIGGER bytes_insert AFTER INSERT ON change_sets REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();
CREATE TRIGGER bytes_update AFTER UPDATE ON change_sets REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();
CREATE TRIGGER bytes_delete AFTER DELETE ON change_sets REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();
CREATE TRIGGER bytes_insert AFTER INSERT ON promotions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();
CREATE TRIGGER bytes_update AFTER UPDATE ON promotions REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();
CREATE TRIGGER bytes_delete AFTER DELETE ON promotions REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();

-- A zone that is forgotten no longer counts, although everything in it is deleted later, in batches.
CREATE FUNCTION forget_bytes_of_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_stored_bytes(OLD.organization_id, -sum(bytes)::bigint) FROM (
    SELECT settings_bytes::bigint AS bytes FROM zone_settings WHERE zone_id = OLD.id
    UNION ALL SELECT content_bytes FROM rules WHERE zone_id = OLD.id
    UNION ALL SELECT bytes FROM zone_revisions WHERE zone_id = OLD.id
    UNION ALL SELECT bytes FROM change_sets WHERE zone_id = OLD.id
    UNION ALL SELECT bytes FROM promotions WHERE zone_id = OLD.id
  ) AS rest HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER zone_identities_forgotten AFTER UPDATE OF organization_id ON zone_identities FOR EACH ROW
  WHEN (OLD.organization_id IS NOT NULL AND NEW.organization_id IS NULL) EXECUTE FUNCTION forget_bytes_of_zone();
