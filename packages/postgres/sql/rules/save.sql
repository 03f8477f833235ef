-- The list's revision is raised along: the order itself stays.
WITH list AS (
  UPDATE rule_orders SET revision = revision + 1 WHERE zone_id = ${zone} AND kind = ${kind}
)
UPDATE rules
SET name_key = ${nameKey}, unique_hash = ${uniqueHash}, key_version = 1, content = ${content}::json, updated_at = clock_timestamp(),
  revision = revision + 1
WHERE id = ${id} AND zone_id = ${zone} AND kind = ${kind}
RETURNING created_at AS "createdAt", updated_at AS "updatedAt", revision
