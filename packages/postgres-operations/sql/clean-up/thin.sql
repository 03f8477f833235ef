DELETE FROM zone_revisions AS r USING zone_identities AS i
WHERE i.id = ${zone} AND r.zone_id = i.id AND r.number >= i.history_whole_from AND r.number < ${number} AND r.snapshot IS NULL
  AND NOT EXISTS (SELECT FROM change_sets WHERE zone_id = ${zone} AND applied_at IS NULL AND base < ${number})
RETURNING r.number
