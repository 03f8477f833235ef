-- Conflicts with the FOR UPDATE of a change or removal, not with other users.
SELECT id FROM origin_servers WHERE id = ${id} AND organization_id = ${organization} FOR KEY SHARE
