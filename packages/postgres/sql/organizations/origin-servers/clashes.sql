SELECT bool_or(name_key = ${nameKey}) AS "name", bool_or(address_key = ${addressKey} AND port = ${port}) AS "address"
FROM origin_servers
WHERE organization_id = ${organizationId} AND id <> ${id}
  AND (name_key = ${nameKey} OR (address_key = ${addressKey} AND port = ${port}))
