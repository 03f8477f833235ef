SELECT rule_ids AS "ids", revision FROM rule_orders WHERE zone_id = ${zone} AND kind = ${kind}
