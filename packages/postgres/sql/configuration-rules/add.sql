INSERT INTO configuration_rules
  (id, zone_id, name, name_key, description, conditions, conditions_hash, enabled, stop_on_match, settings_overrides)
VALUES (${id}, ${zone}, ${name}, ${nameKey}, ${description}, ${conditions}::json, ${conditionsHash}, ${enabled},
  ${stopOnMatch}, ${settingsOverrides}::json)
RETURNING created_at AS "createdAt", updated_at AS "updatedAt", revision
