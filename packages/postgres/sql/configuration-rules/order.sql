SELECT rule_ids AS "ruleIds" FROM configuration_rule_orders WHERE zone_id = ${zone}
