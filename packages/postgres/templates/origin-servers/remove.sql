WITH written AS (
  SELECT id, organization_id FROM origin_servers WHERE id = ${id}
), <%~ include('@recorded-backend') %>
DELETE FROM origin_servers WHERE id = ${id}
