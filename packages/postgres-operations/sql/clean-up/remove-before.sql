DELETE FROM zone_revisions AS r
WHERE r.zone_id = ${zone} AND r.number < ${number}
  AND NOT EXISTS (SELECT FROM needed_revisions WHERE zone_id = ${zone} AND number < ${number})
RETURNING r.number
