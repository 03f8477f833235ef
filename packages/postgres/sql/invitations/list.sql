SELECT /*part invitations/columns*/
FROM invitations
WHERE organization_id = ${organization}
ORDER BY created_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
