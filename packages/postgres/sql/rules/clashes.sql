SELECT bool_or(name_key = ${nameKey}) AS "name", bool_or(unique_hash = ${uniqueHash}) AS "key"
FROM rules
WHERE zone_id = ${zone} AND kind = ${kind} AND id <> ${id} AND (name_key = ${nameKey} OR unique_hash = ${uniqueHash})
