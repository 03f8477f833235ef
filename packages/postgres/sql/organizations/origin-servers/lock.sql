-- FOR UPDATE, the only mode that waits for the FOR KEY SHARE of units that use it.
SELECT id, organization_id AS "organizationId", name, protocol, address, port, request_hostname AS "requestHostname",
  created_at AS "createdAt", updated_at AS "updatedAt", revision
FROM origin_servers
WHERE id = ${id} AND organization_id = ${organization}
FOR UPDATE
