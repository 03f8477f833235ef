INSERT INTO memberships (organization_id, user_id, role) VALUES ($2, $1, 'editor')
