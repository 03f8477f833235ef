UPDATE zone_revisions SET snapshot = ${snapshot}::json, replay_bytes = 0 WHERE zone_id = ${zone} AND number = ${number}
