SELECT r.id, r.zone_id AS "zoneId", r.kind, place.order::int AS "order", r.content::text AS "content",
  r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision
FROM rule_orders AS o
  CROSS JOIN unnest(o.rule_ids) WITH ORDINALITY AS place (id, "order")
  JOIN rules AS r ON r.id = place.id
WHERE o.zone_id = ${zone} AND o.kind = ${kind}
ORDER BY place.order
