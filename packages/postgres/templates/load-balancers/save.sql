WITH written AS (
  UPDATE load_balancers
  SET name = ${name}, name_key = ${nameKey}, method = ${method}, request_hostname = ${requestHostname},
    updated_at = clock_timestamp(), revision = revision + 1
  WHERE id = ${id}
  RETURNING id, organization_id, created_at, updated_at, revision
), <%~ include('@recorded-backend') %>
SELECT created_at AS "createdAt", updated_at AS "updatedAt", revision FROM written
