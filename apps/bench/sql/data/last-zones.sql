SELECT id FROM zones WHERE organization_id = $1 ORDER BY name_key DESC LIMIT $2
