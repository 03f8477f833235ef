-- Since when all connected edges have had what they are offered of a zone; before `published_at`, they do not have it yet.
ALTER TABLE edge_zones ADD COLUMN current_since timestamptz(3);
CREATE INDEX edge_zones_spreading ON edge_zones (position) WHERE current_since IS NULL OR current_since < published_at;
