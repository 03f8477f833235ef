-- A search reads the names and ids of the organizations it looks through, all from one index: however short the text is, and
-- however many zones of others hold it. An index of trigrams finds theirs first, and every zone there is for less than three
-- characters.
DROP INDEX zones_search;
DROP INDEX zones_by_name;
CREATE INDEX zones_by_name ON zones (organization_id, name_key, id) INCLUDE (tag, search_key);
