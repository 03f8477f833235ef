-- Changes nothing if another rule of the list has the key.
UPDATE rules SET unique_hash = ${hash}, key_version = 1
WHERE id = ${rule} AND NOT EXISTS (
  SELECT FROM rules AS other
  WHERE (other.zone_id, other.kind, other.unique_hash) = (rules.zone_id, rules.kind, ${hash}) AND other.id <> ${rule}
)
RETURNING id
