-- Nothing that is kept mentions them, so another list may have their ids.
DELETE FROM retired_rules WHERE zone_id = ${zone} AND revision < ${number}
  AND NOT EXISTS (SELECT FROM change_sets WHERE zone_id = ${zone} AND applied_at IS NULL AND base < ${number})
