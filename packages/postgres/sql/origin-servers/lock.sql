-- FOR UPDATE: a unit that uses it holds FOR KEY SHARE, and only this mode waits for that.
SELECT /*part origin-servers/columns*/
FROM origin_servers
WHERE id = ${id} AND organization_id = ${organization}
FOR UPDATE
