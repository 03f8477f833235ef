-- Contract: no version writes patches without the values of another zone any more.
-- Every change set is stored with its whole patch, and refers to no revisions but those of its zone.
DROP VIEW needed_revisions;
ALTER TABLE change_sets DROP COLUMN lender_id, DROP COLUMN lender_revision, DROP COLUMN lender_characters;

-- The bases of change sets that are not applied: without them, they could not be merged.
CREATE VIEW needed_revisions AS SELECT zone_id, base AS number FROM change_sets WHERE applied_at IS NULL;
