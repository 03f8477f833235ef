SELECT r.id, r.zone_id AS "zoneId", r.name, r.description, r.conditions::text AS "conditions", place.order::int AS "order",
  r.enabled, r.stop_on_match AS "stopOnMatch", r.settings_overrides::text AS "settingsOverrides",
  r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision
FROM configuration_rule_orders AS o
  CROSS JOIN unnest(o.rule_ids) WITH ORDINALITY AS place (id, "order")
  JOIN configuration_rules AS r ON r.id = place.id
WHERE o.zone_id = ${zone}
  AND (cardinality(${patterns}::text[]) = 0 OR r.name_key LIKE ANY (${patterns}))
ORDER BY place.order
LIMIT ${limit} OFFSET ${offset}
