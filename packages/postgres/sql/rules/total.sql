SELECT (SELECT count(*)::int FROM rules
    WHERE zone_id = ${zone} AND kind = ${kind}
      AND (cardinality(${patterns}::text[]) = 0 OR name_key LIKE ANY (${patterns}))) AS "total",
  coalesce((SELECT revision FROM rule_orders WHERE zone_id = ${zone} AND kind = ${kind}), 0) AS "revision"
