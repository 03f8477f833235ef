-- Contract: the previous version writes none of the columns that the constraint is on. A batch of its clean-up that would
-- delete a revision that lends values fails, and is left to the new version.
-- The patch of a change set that a promotion made can leave out values that a revision of the source has, until the set
-- is applied or written again. In their places it has lists of lists, which the previous version refuses to apply.
ALTER TABLE change_sets
  ADD COLUMN lender_id uuid,
  ADD COLUMN lender_revision integer,
  -- Of the document of that revision.
  ADD COLUMN lender_characters integer,
  ADD CONSTRAINT change_sets_lender FOREIGN KEY (lender_id, lender_revision) REFERENCES zone_revisions DEFERRABLE;
CREATE INDEX change_sets_lender ON change_sets (lender_id, lender_revision) WHERE lender_id IS NOT NULL;

-- What the clean-up keeps readable for change sets that are not applied: their bases, without which they could not be
-- merged, and what lends values to them.
CREATE VIEW needed_revisions AS
  SELECT zone_id, base AS number, false AS is_lent FROM change_sets WHERE applied_at IS NULL
  UNION ALL
  SELECT lender_id, lender_revision, true FROM change_sets WHERE lender_id IS NOT NULL;
