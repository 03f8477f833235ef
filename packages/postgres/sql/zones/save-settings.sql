WITH touched AS (
  UPDATE zones SET updated_at = clock_timestamp() WHERE id = ${id}
)
UPDATE zone_settings SET settings = ${settings}::json WHERE zone_id = ${id}
