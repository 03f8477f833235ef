-- A zone can have any number of them, of any size: one batch is a number of rows and a number of bytes, but always a row.
-- The newest first: they may refer to older ones.
DELETE FROM zone_revisions WHERE (zone_id, number) IN (
  SELECT zone_id, number FROM (
    SELECT zone_id, number, sum(bytes) OVER (ORDER BY zone_id, number DESC) - bytes AS before FROM (
      SELECT r.zone_id, r.number, r.bytes FROM zone_identities AS i CROSS JOIN LATERAL (
        SELECT * FROM zone_revisions WHERE zone_id = i.id ORDER BY number DESC LIMIT ${batch}
      ) AS r
      WHERE i.organization_id IS NULL
      LIMIT ${batch}
    ) AS forgotten
  ) AS counted
  WHERE before < ${bytes}
) RETURNING number
