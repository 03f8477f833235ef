WITH written AS (
  SELECT id, organization_id FROM origin_servers WHERE id = ${id}
), /*part backends/recorded*/
DELETE FROM origin_servers WHERE id = ${id}
