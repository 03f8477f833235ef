WITH written AS (
  SELECT id, organization_id FROM load_balancers WHERE id = ${id}
), /*part backends/recorded*/
DELETE FROM load_balancers WHERE id = ${id}
