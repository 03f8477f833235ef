WITH written AS (
  INSERT INTO origin_servers
    (id, organization_id, name, name_key, protocol, address, address_key, port, request_hostname)
  VALUES (${id}, ${organizationId}, ${name}, ${nameKey}, ${protocol}, ${address}, ${addressKey}, ${port}, ${requestHostname})
  RETURNING id, organization_id, created_at, updated_at, revision
), <%~ include('@recorded-backend') %>
SELECT created_at AS "createdAt", updated_at AS "updatedAt", revision FROM written
