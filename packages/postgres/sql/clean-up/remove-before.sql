DELETE FROM zone_revisions AS r
WHERE r.zone_id = ${zone} AND r.number < ${number} AND NOT EXISTS (/*part clean-up/drafts-before*/)
RETURNING r.number
