-- Serializes units that change an organization, its members or its zone count, so that limits hold.
SELECT /*part organizations/columns*/
FROM organizations
WHERE id = ${id}
FOR NO KEY UPDATE
