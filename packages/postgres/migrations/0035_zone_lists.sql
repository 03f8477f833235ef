-- Each sort order of the zone list, with or without tags, matches an index within an organization or within one of its
-- tags: a page reads no more entries of each than it shows.
ALTER TABLE zones DROP CONSTRAINT zones_name_unique;
ALTER TABLE zones ADD CONSTRAINT zones_name_unique UNIQUE (organization_id, tag, name_key) INCLUDE (id);
CREATE INDEX zones_by_name ON zones (organization_id, name_key, id);
CREATE INDEX zones_by_tag ON zones (organization_id, tag, id);
CREATE INDEX zones_by_creation ON zones (organization_id, tag, created_at, id);
CREATE INDEX zones_by_update ON zones (organization_id, tag, updated_at, id);
