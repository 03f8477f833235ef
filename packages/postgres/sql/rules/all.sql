SELECT /*part rules/columns*/, place.order::int AS "order", r.content::text AS "content"
FROM rule_orders AS o
  CROSS JOIN unnest(o.rule_ids) WITH ORDINALITY AS place (id, "order")
  JOIN rules AS r ON r.id = place.id
WHERE o.zone_id = ${zone} AND o.kind = ${kind}
ORDER BY place.order
