SELECT /*part origin-servers/columns*/
FROM origin_servers
WHERE organization_id = ${organization}
ORDER BY name_key, id
LIMIT ${limit} OFFSET ${offset}
