SELECT /*part organizations/columns*/
FROM organizations
WHERE id = ${id}
