WITH founded AS (INSERT INTO organizations (name) VALUES (${name}) RETURNING id)
INSERT INTO memberships (organization_id, user_id, role)
SELECT id, ${owner}, 'owner' FROM founded
RETURNING organization_id AS "id"
