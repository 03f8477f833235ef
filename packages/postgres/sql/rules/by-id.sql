SELECT r.id, r.zone_id AS "zoneId", r.kind, array_position(o.rule_ids, r.id) AS "order", r.content::text AS "content",
  r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision
FROM rules AS r JOIN rule_orders AS o ON o.zone_id = r.zone_id AND o.kind = r.kind
WHERE r.id = ${id} AND r.zone_id = ${zone} AND r.kind = ${kind}
