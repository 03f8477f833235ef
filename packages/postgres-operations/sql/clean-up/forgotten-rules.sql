-- A batch is a number of rows and a number of bytes, but always a row.
DELETE FROM rules WHERE id IN (
  SELECT id FROM (
    SELECT id, sum(content_bytes) OVER (ORDER BY id) - content_bytes AS before FROM (
      SELECT r.id, r.content_bytes FROM zone_identities AS i JOIN rules AS r ON r.zone_id = i.id
      WHERE i.organization_id IS NULL
      LIMIT ${batch}
    ) AS forgotten
  ) AS counted
  WHERE before < ${bytes}
) RETURNING id
