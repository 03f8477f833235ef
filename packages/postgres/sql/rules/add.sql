INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, content)
VALUES (${id}, ${zone}, ${kind}, ${nameKey}, ${uniqueHash}, ${content}::json)
RETURNING created_at AS "createdAt", updated_at AS "updatedAt", revision
