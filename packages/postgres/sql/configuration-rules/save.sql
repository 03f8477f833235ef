UPDATE configuration_rules
SET name = ${name}, name_key = ${nameKey}, description = ${description}, conditions = ${conditions}::json,
  conditions_hash = ${conditionsHash}, enabled = ${enabled}, stop_on_match = ${stopOnMatch},
  settings_overrides = ${settingsOverrides}::json, updated_at = clock_timestamp(), revision = revision + 1
WHERE id = ${id} AND zone_id = ${zone}
RETURNING created_at AS "createdAt", updated_at AS "updatedAt", revision
