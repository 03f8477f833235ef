SELECT stage, position::float8, revision, digest, is_halted AS "isHalted",
  CASE WHEN current_since >= published_at THEN current_since END AS "currentSince"
FROM edge_zones WHERE zone_id = ${zone} ORDER BY stage
