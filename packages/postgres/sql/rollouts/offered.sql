SELECT stage, position::float8, revision, digest, is_halted AS "isHalted"
FROM edge_zones WHERE zone_id = ${zone} ORDER BY stage
