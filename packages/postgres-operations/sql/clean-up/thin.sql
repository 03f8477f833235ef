DELETE FROM zone_revisions AS r USING zone_identities AS i
WHERE i.id = ${zone} AND r.zone_id = i.id AND r.number >= i.history_whole_from AND r.number < ${number} AND r.snapshot IS NULL
  AND NOT EXISTS (SELECT FROM needed_revisions WHERE zone_id = ${zone} AND number < ${number})
RETURNING r.number
