SELECT r.id, r.zone_id AS "zoneId", r.name, r.description, r.conditions::text AS "conditions",
  array_position(o.rule_ids, r.id) AS "order",
  r.enabled, r.stop_on_match AS "stopOnMatch", r.settings_overrides::text AS "settingsOverrides",
  r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision
FROM configuration_rules AS r JOIN configuration_rule_orders AS o ON o.zone_id = r.zone_id
WHERE r.id = ${id} AND r.zone_id = ${zone}
