DELETE FROM zone_revisions AS r
WHERE r.zone_id = ${zone} AND r.number < ${number}
  AND NOT EXISTS (SELECT FROM change_sets WHERE zone_id = ${zone} AND applied_at IS NULL AND base < ${number})
RETURNING r.number
