-- With their settings, whose bytes count, and the few short rows that are left. A batch is a number of zones and a number
-- of bytes, but always a zone.
DELETE FROM zone_identities WHERE id IN (
  SELECT id FROM (
    SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM (
      SELECT i.id, coalesce(s.settings_bytes, 0) AS bytes
      FROM zone_identities AS i LEFT JOIN zone_settings AS s ON s.zone_id = i.id
      WHERE i.organization_id IS NULL AND NOT EXISTS (SELECT FROM zone_revisions WHERE zone_id = i.id)
        AND NOT EXISTS (SELECT FROM change_sets WHERE zone_id = i.id) AND NOT EXISTS (SELECT FROM rules WHERE zone_id = i.id)
      LIMIT ${batch}
    ) AS forgotten
  ) AS counted
  WHERE before < ${bytes}
) RETURNING id
