-- In place of a patch or a reference.
UPDATE zone_revisions SET snapshot = ${snapshot}::json, patch = NULL, contents_from = NULL, rest_from = NULL, adjustment = NULL,
  replay_bytes = 0
WHERE zone_id = ${zone} AND number = ${number}
