SELECT /*part deleted-zones/columns*/
FROM deleted_zones
WHERE id = ${id} AND organization_id = ${organization} AND expires_at > now()
