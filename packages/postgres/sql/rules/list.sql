-- Texts of a page that is too large as a whole are not read.
SELECT id, "zoneId", kind, "order", bytes,
  CASE WHEN sum(bytes) OVER () <= ${maxBytes} OR count(*) OVER () = 1 THEN content::text END AS "content",
  "createdAt", "updatedAt", revision
FROM (
  SELECT r.id, r.zone_id AS "zoneId", r.kind, place.order::int AS "order", r.content_bytes AS bytes, r.content,
    r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision
  FROM rule_orders AS o
    CROSS JOIN unnest(o.rule_ids) WITH ORDINALITY AS place (id, "order")
    JOIN rules AS r ON r.id = place.id
  WHERE o.zone_id = ${zone} AND o.kind = ${kind}
    AND (cardinality(${patterns}::text[]) = 0 OR r.name_key LIKE ANY (${patterns}))
  ORDER BY place.order
  LIMIT ${limit} OFFSET ${offset}
) AS page
ORDER BY "order"
