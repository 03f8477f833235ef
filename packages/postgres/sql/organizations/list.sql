SELECT /*part organizations/columns*/
FROM organizations
WHERE id = ANY (${ids})
ORDER BY name_key, id
LIMIT ${limit} OFFSET ${offset}
