-- One statement for all of them: what they are called is compared when it ends.
-- The list's revision is raised along: a rewrite of rules where they are need not save the order.
WITH list AS (
  UPDATE rule_orders SET revision = revision + 1 WHERE zone_id = ${zone} AND kind = ${kind}
)
UPDATE rules AS r
SET name_key = w.name_key, unique_hash = w.unique_hash, key_version = 1, content = w.content::json, updated_at = clock_timestamp(),
  revision = r.revision + 1
FROM unnest(${ids}::uuid[], ${nameKeys}::text[], ${uniqueHashes}::bytea[], ${contents}::text[])
  AS w (id, name_key, unique_hash, content)
WHERE r.id = w.id AND r.zone_id = ${zone} AND r.kind = ${kind}
