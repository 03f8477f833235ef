INSERT INTO zone_revisions (zone_id, number, action, objects, author, patch, inverse, snapshot, replay_bytes,
  created_at)
VALUES (${zone}, ${number}, ${action}, ${objects}::json, ${author}, ${patch}::json, ${inverse}::json, ${snapshot}::json,
  ${replayBytes}, statement_timestamp())
