-- Their revisions can no longer be read. Promotions are kept: the next one continues from the last.
DELETE FROM change_sets WHERE zone_id = ${zone} AND applied_revision < ${number}
  AND NOT EXISTS (SELECT FROM promotions WHERE change_set_id = change_sets.id)
  AND NOT EXISTS (SELECT FROM needed_revisions WHERE zone_id = ${zone} AND number < ${number})
