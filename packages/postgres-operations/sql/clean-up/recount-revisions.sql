UPDATE zone_identities AS i
SET history_whole_from = greatest(i.history_whole_from, ${number}), history_kept_before = (
  SELECT count(*) FROM zone_revisions WHERE zone_id = i.id AND number < greatest(i.history_whole_from, ${number})
)
WHERE i.id = ${zone}
