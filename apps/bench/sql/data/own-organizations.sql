WITH added AS (
  INSERT INTO organizations (name, name_key) SELECT 'Bench ' || n, 'bench ' || n FROM generate_series(2, $2) AS n
  RETURNING id
)
INSERT INTO memberships (organization_id, user_id, role) SELECT id, $1, 'owner' FROM added
