SELECT b.id, b.organization_id AS "organizationId", b.name, b.method, b.request_hostname AS "requestHostname",
  (SELECT json_agg(json_build_object('originServer', o.origin_server_id, 'weight', o.weight, 'enabled', o.enabled)
      ORDER BY o.position)
    FROM load_balancer_origins AS o WHERE o.load_balancer_id = b.id) AS "origins",
  b.created_at AS "createdAt", b.updated_at AS "updatedAt", b.revision
FROM load_balancers AS b
WHERE b.id = ${id} AND b.organization_id = ${organization}
