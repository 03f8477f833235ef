-- The next zones of a walk.
SELECT id FROM zone_identities WHERE id > ${position}::uuid AND organization_id IS NOT NULL ORDER BY id LIMIT ${batch}
