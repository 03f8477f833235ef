SELECT bool_or(name_key = ${nameKey}) AS "name", bool_or(conditions_hash = ${conditionsHash}) AS "conditions"
FROM configuration_rules
WHERE zone_id = ${zone} AND id <> ${id} AND (name_key = ${nameKey} OR conditions_hash = ${conditionsHash})
