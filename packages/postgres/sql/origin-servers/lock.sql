-- FOR UPDATE: whoever uses it holds FOR KEY SHARE, and only this mode waits for that.
SELECT id, organization_id AS "organizationId", name, protocol, address, port, request_hostname AS "requestHostname",
  created_at AS "createdAt", updated_at AS "updatedAt", revision
FROM origin_servers
WHERE id = ${id} AND organization_id = ${organization}
FOR UPDATE
