SELECT r.id, r.zone_id AS "zoneId", r.kind, r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision,
  r.content::text AS "content",
  (
    SELECT count(*)::int FROM rules AS o WHERE o.zone_id = r.zone_id AND o.kind = r.kind AND o.rank <= r.rank
  ) AS "order"
FROM rules AS r JOIN zones AS z ON z.id = r.zone_id
WHERE r.id = ${id} AND r.zone_id = ${zone} AND r.kind = ${kind}
