-- Units that change an organization, its members or the number of its zones take turns, so that its limits hold.
SELECT /*part organizations/columns*/
FROM organizations
WHERE id = ${id}
FOR NO KEY UPDATE
