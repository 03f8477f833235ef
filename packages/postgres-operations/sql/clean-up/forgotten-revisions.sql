-- A zone can have any number of them. The newest first: they may refer to older ones.
DELETE FROM zone_revisions WHERE (zone_id, number) IN (
  SELECT r.zone_id, r.number FROM zone_identities AS i CROSS JOIN LATERAL (
    SELECT zone_id, number FROM zone_revisions WHERE zone_id = i.id ORDER BY number DESC LIMIT ${batch}
  ) AS r
  WHERE i.organization_id IS NULL
  LIMIT ${batch}
) RETURNING number
