-- A rule's first revision is its zone's, so that a deleted and restored rule never reuses a revision for different
-- content. Existing rules may have been restored before: their zones' revisions are higher than any they had.
UPDATE rules AS r SET revision = z.revision FROM zones AS z WHERE z.id = r.zone_id;
