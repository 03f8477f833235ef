SELECT /*part deleted-zones/columns*/
FROM deleted_zones
WHERE organization_id = ${organization} AND expires_at > now() AND search_key LIKE ${pattern} ESCAPE '\'
ORDER BY deleted_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
