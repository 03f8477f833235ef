-- FOR UPDATE, the only mode that waits for the FOR KEY SHARE of units that use it.
SELECT /*part origin-servers/columns*/
FROM origin_servers
WHERE id = ${id} AND organization_id = ${organization}
FOR UPDATE
