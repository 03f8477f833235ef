SELECT id FROM origin_servers WHERE id = ${id} AND organization_id = ${organization} FOR KEY SHARE
