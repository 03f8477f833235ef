-- The first revision is that of the locked zone, as in `add`.
INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, key_version, content, revision)
SELECT w.id, z.id, ${kind}, w.name_key, w.unique_hash, 1, w.content::json, z.revision
FROM zones AS z,
  unnest(${ids}::uuid[], ${nameKeys}::text[], ${uniqueHashes}::bytea[], ${contents}::text[])
    AS w (id, name_key, unique_hash, content)
WHERE z.id = ${zone}
