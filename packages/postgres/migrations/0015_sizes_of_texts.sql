-- Sizes in bytes, so that a page can be measured without reading the texts.
ALTER TABLE zone_settings
  ADD COLUMN settings_bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(settings::text)) STORED;
ALTER TABLE rules ADD COLUMN content_bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(content::text)) STORED;

-- Total bytes of the patches from the latest snapshot up to this revision, inclusive; 0 for a revision with a snapshot.
ALTER TABLE zone_revisions ADD COLUMN replay_bytes integer NOT NULL DEFAULT 0;
-- Only the last revision of a zone is read.
UPDATE zone_revisions AS r
SET replay_bytes = (
  SELECT least(coalesce(sum(octet_length(p.patch::text)), 0), 2147483647)
  FROM zone_revisions AS p
  WHERE p.zone_id = r.zone_id AND p.number > (
    SELECT max(s.number) FROM zone_revisions AS s WHERE s.zone_id = r.zone_id AND s.snapshot IS NOT NULL
  )
)
FROM zones AS z
WHERE z.id = r.zone_id AND r.number = z.revision AND r.snapshot IS NULL;
