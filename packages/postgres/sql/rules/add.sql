-- The first revision is that of the locked zone, which every earlier rule of this id was written before: no revision
-- names two contents.
INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, key_version, content, revision)
SELECT ${id}, z.id, ${kind}, ${nameKey}, ${uniqueHash}, 1, ${content}::json, z.revision FROM zones AS z WHERE z.id = ${zone}
RETURNING created_at AS "createdAt", updated_at AS "updatedAt", revision
