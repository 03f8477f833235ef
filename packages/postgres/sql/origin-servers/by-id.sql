SELECT /*part origin-servers/columns*/
FROM origin_servers
WHERE id = ${id} AND organization_id = ${organization}
