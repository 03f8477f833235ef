-- Returns a row for each origin server of each existing backend, and for a load balancer without any; one for another
-- zone with the name and tag; and one for each id that no rule can get, because a rule of another zone or list has it or
-- one in another list of the zone had it.
SELECT 'origin_server' AS kind, s.id, s.revision, s.id AS "originServer", s.revision AS "originRevision",
  s.address_key AS "addressKey", true AS enabled, 0 AS position
FROM origin_servers AS s
WHERE s.organization_id = ${organization} AND s.id = ANY (${originServers}::uuid[])
UNION ALL
SELECT 'load_balancer', b.id, b.revision, s.id, s.revision, s.address_key, o.enabled, o.position
FROM load_balancers AS b
  LEFT JOIN load_balancer_origins AS o ON o.load_balancer_id = b.id
  LEFT JOIN origin_servers AS s ON s.id = o.origin_server_id
WHERE b.organization_id = ${organization} AND b.id = ANY (${loadBalancers}::uuid[])
UNION ALL
SELECT 'zone', z.id, z.revision, NULL, NULL, NULL, NULL, 0
FROM zones AS z
WHERE z.organization_id = ${organization} AND z.name_key = ${nameKey} AND z.tag = ${tag} AND z.id <> ${zone}
UNION ALL
SELECT 'rule', w.id, NULL, NULL, NULL, NULL, NULL, 0
FROM unnest(${rules}::uuid[], ${kinds}::text[]) AS w (id, kind)
WHERE EXISTS (SELECT FROM rules AS r WHERE r.id = w.id AND (r.zone_id <> ${zone} OR r.kind <> w.kind))
  OR EXISTS (SELECT FROM retired_rules AS r WHERE r.zone_id = ${zone} AND r.id = w.id AND r.kind <> w.kind)
ORDER BY position
