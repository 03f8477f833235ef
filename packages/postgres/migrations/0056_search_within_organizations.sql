-- A search reads names and ids of the searched organizations from a single index, however short the text and however
-- many other zones match. A trigram index would find those first, and every zone for less than three characters.
DROP INDEX zones_search;
DROP INDEX zones_by_name;
CREATE INDEX zones_by_name ON zones (organization_id, name_key, id) INCLUDE (tag, search_key);
