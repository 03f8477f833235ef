-- A zone can have any number of them.
DELETE FROM zone_revisions WHERE (zone_id, number) IN (
  SELECT r.zone_id, r.number FROM zone_identities AS i JOIN zone_revisions AS r ON r.zone_id = i.id
  WHERE i.organization_id IS NULL
  LIMIT ${batch}
) RETURNING number
