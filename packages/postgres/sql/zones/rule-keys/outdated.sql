-- Changes of zones write the same version, and an index covers the rows below it.
SELECT id, zone_id AS "zone", kind, unique_hash AS "hash", content::text AS "content" FROM rules
WHERE key_version < 1
ORDER BY zone_id, kind, id
LIMIT ${limit}
FOR UPDATE
