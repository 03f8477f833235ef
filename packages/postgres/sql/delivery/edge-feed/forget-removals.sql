-- Edges with a position before the oldest publication read everything again.
DELETE FROM edge_zones
WHERE digest IS NULL AND NOT is_pending AND position <= (SELECT last_position FROM edge_publications ORDER BY id LIMIT 1)
