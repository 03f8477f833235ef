SELECT /*part rules/columns*/, array_position(o.rule_ids, r.id) AS "order", r.content::text AS "content"
FROM rules AS r JOIN rule_orders AS o ON o.zone_id = r.zone_id AND o.kind = r.kind
WHERE r.id = ${id} AND r.zone_id = ${zone} AND r.kind = ${kind}
