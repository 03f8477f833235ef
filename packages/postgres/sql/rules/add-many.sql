INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, content)
SELECT w.id, ${zone}, ${kind}, w.name_key, w.unique_hash, w.content::json
FROM unnest(${ids}::uuid[], ${nameKeys}::text[], ${uniqueHashes}::bytea[], ${contents}::text[])
  AS w (id, name_key, unique_hash, content)
