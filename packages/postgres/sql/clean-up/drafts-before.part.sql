SELECT FROM change_sets WHERE zone_id = ${zone} AND applied_at IS NULL AND base < ${number}
