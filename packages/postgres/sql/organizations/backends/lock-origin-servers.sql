-- In id order, like all units that lock several.
SELECT id, address_key AS "addressKey" FROM origin_servers
WHERE organization_id = ${organization} AND id = ANY (${ids}::uuid[])
ORDER BY id
FOR KEY SHARE
