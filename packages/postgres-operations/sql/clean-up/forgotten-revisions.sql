-- A zone can have any number of them, of any size: one batch is a number of rows and a number of bytes, but always a row.
DELETE FROM zone_revisions WHERE (zone_id, number) IN (
  SELECT zone_id, number FROM (
    SELECT zone_id, number, sum(bytes) OVER (ORDER BY zone_id, number) - bytes AS before FROM (
      SELECT r.zone_id, r.number,
        coalesce(pg_column_size(r.patch), 0) + coalesce(pg_column_size(r.inverse), 0) + coalesce(pg_column_size(r.snapshot), 0) AS bytes
      FROM zone_identities AS i JOIN zone_revisions AS r ON r.zone_id = i.id
      WHERE i.organization_id IS NULL
      LIMIT ${batch}
    ) AS forgotten
  ) AS counted
  WHERE before < ${bytes}
) RETURNING number
