INSERT INTO memberships (organization_id, user_id, role)
SELECT id, $1, 'editor' FROM organizations WHERE id = ANY ($2::int[]) OR name LIKE 'Foreign%' AND id % 2 = 0
LIMIT 200
