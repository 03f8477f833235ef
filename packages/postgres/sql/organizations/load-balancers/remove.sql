WITH written AS (
  SELECT id, organization_id FROM load_balancers WHERE id = ${id}
), recorded AS (
  INSERT INTO backend_revisions (backend_id, number, organization_id, kind, action, author, state)
  SELECT w.id, 1 + coalesce((SELECT max(number) FROM backend_revisions WHERE backend_id = w.id), 0), w.organization_id,
    ${kind}, ${action}, ${author}, ${state}::json
  FROM written AS w
)
DELETE FROM load_balancers WHERE id = ${id}
