-- Each order of a list of zones, with or without tags, is that of an index within an organization or within a tag of one:
-- a page reads as many entries as it is long of each, whatever else there is.
ALTER TABLE zones DROP CONSTRAINT zones_name_unique;
ALTER TABLE zones ADD CONSTRAINT zones_name_unique UNIQUE (organization_id, tag, name_key) INCLUDE (id);
CREATE INDEX zones_by_name ON zones (organization_id, name_key, id);
CREATE INDEX zones_by_tag ON zones (organization_id, tag, id);
CREATE INDEX zones_by_creation ON zones (organization_id, tag, created_at, id);
CREATE INDEX zones_by_update ON zones (organization_id, tag, updated_at, id);
