-- One statement, so that settings and rules are of one moment. The row without a kind is the zone; each of the others is one
-- of its rules, in no particular order. `content` is the text of what a client wrote: settings, or a rule.
SELECT NULL AS kind, z.id, NULL::int AS "order", s.settings::text AS "content", z.created_at AS "createdAt",
  z.updated_at AS "updatedAt", z.revision, z.organization_id AS "organizationId", z.name, z.tag, z.ban_token AS "banToken",
  z.created_by AS "createdBy", z.revision || '.' || z.xmin::text AS "state", (SELECT count(*)::int FROM basic_auth_users AS b WHERE b.zone_id = z.id) AS "basicAuthUserCount"
FROM zones AS z JOIN zone_settings AS s ON s.zone_id = z.id
WHERE z.id = ${id}
UNION ALL
SELECT r.kind, r.id, place.order::int, r.content::text, r.created_at, r.updated_at, r.revision, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM rule_orders AS o
  CROSS JOIN unnest(o.rule_ids) WITH ORDINALITY AS place (id, "order")
  JOIN rules AS r ON r.id = place.id
WHERE o.zone_id = ${id}
