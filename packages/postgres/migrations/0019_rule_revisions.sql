-- A rule's first revision is its zone's, so that one that was deleted and restored never gets a revision again that named
-- another content. Those that are there may have been restored before: their zones' revisions are beyond any they had.
UPDATE rules AS r SET revision = z.revision FROM zones AS z WHERE z.id = r.zone_id;
