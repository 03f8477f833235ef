WITH written AS (
  SELECT id, organization_id FROM load_balancers WHERE id = ${id}
), <%~ include('@recorded-backend') %>
DELETE FROM load_balancers WHERE id = ${id}
