-- Nothing that is kept mentions them, so another list may have their ids.
DELETE FROM retired_rules WHERE zone_id = ${zone} AND revision < ${number}
  AND NOT EXISTS (SELECT FROM needed_revisions WHERE zone_id = ${zone} AND number < ${number})
