INSERT INTO rule_orders AS o (zone_id, kind, rule_ids) VALUES (${zone}, ${kind}, ${ruleIds})
ON CONFLICT (zone_id, kind) DO UPDATE SET rule_ids = EXCLUDED.rule_ids, revision = o.revision + 1
