-- Contract: nobody runs the version that reads these marks.
-- Lists no longer depend on marks of the latest changes.
DROP TRIGGER zones_marked ON zones;
DROP FUNCTION mark_zone();
DROP FUNCTION mark_zone_change(integer);
DROP TABLE zone_change_marks;

-- Lists by name and searches read names, tags and ids from one index.
DROP INDEX zones_by_name;
CREATE INDEX zones_by_name ON zones (organization_id, name_key, id) INCLUDE (tag);

-- The pairs of successive characters in a name, each with its organization: a search costs as much as an organization's
-- own names, however many others match.
CREATE FUNCTION name_pairs(organization integer, name text) RETURNS bigint[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(SELECT hashtextextended(substr(name, n, 2), organization) FROM generate_series(1, length(name) - 1) AS n);
CREATE INDEX zones_by_name_pairs ON zones USING gin (name_pairs(organization_id, name_key)) WITH (fastupdate = off);
