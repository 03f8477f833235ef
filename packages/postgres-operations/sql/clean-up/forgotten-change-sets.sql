-- Those of forgotten zones, with their promotions. A batch is a number of rows and a number of bytes, but always a row.
DELETE FROM change_sets WHERE id IN (
  SELECT id FROM (
    SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM (
      SELECT c.id, c.bytes FROM zone_identities AS i JOIN change_sets AS c ON c.zone_id = i.id
      WHERE i.organization_id IS NULL
      LIMIT ${batch}
    ) AS forgotten
  ) AS counted
  WHERE before < ${bytes}
) RETURNING id
