SELECT count(*)::int AS "total" FROM configuration_rules
WHERE zone_id = ${zone} AND (cardinality(${patterns}::text[]) = 0 OR name_key LIKE ANY (${patterns}))
