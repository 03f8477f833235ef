DELETE FROM zone_identities WHERE id IN (
  SELECT id FROM zone_identities AS i
  WHERE i.organization_id IS NULL AND NOT EXISTS (SELECT FROM zone_revisions WHERE zone_id = i.id)
    AND NOT EXISTS (SELECT FROM change_sets WHERE zone_id = i.id)
  LIMIT ${batch}
) RETURNING id
