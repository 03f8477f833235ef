SELECT /*part invitations/columns*/
FROM invitations
WHERE id = ${id} AND organization_id = ${organization}
