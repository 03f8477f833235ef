UPDATE configuration_rule_orders SET rule_ids = ${ruleIds} WHERE zone_id = ${zone}
