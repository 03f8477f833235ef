INSERT INTO zone_revisions (zone_id, number, action, objects, author, patch, inverse, snapshot, contents_from, rest_from,
  adjustment, replay_bytes, created_at)
VALUES (${zone}, ${number}, ${action}, ${objects}::json, ${author}, ${patch}::json, '{}', ${snapshot}::json, ${contentsFrom},
  ${restFrom}, ${adjustment}::json, ${replayBytes}, statement_timestamp())
