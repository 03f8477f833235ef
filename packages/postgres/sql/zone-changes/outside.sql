-- One row for each origin server behind each backend that the organization has, and one for a load balancer without any;
-- and one for the other zone, if there is one, that has the name and tag.
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
ORDER BY position
