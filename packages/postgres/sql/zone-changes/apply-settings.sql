settings AS (
  UPDATE zone_settings AS s SET settings = ${settings}::json
  FROM head WHERE s.zone_id = head.id AND ${settings}::text IS NOT NULL
), 
