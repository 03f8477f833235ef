WITH written AS (
  INSERT INTO load_balancers (id, organization_id, name, name_key, method, request_hostname)
  VALUES (${id}, ${organizationId}, ${name}, ${nameKey}, ${method}, ${requestHostname})
  RETURNING id, organization_id, created_at, updated_at, revision
), <%~ include('@recorded-backend') %>
SELECT created_at AS "createdAt", updated_at AS "updatedAt", revision FROM written
