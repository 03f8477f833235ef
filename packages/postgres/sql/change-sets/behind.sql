-- Rendered from templates/change-sets/behind.sql.eta
SELECT id, zone_id AS "zoneId", title, description,
  CASE WHEN applied_at IS NOT NULL THEN 'applied' WHEN ends_at > statement_timestamp() THEN 'open' ELSE 'discarded' END
    AS "status",
  base, created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt", ends_at AS "endsAt",
  applied_revision AS "appliedRevision", applied_by AS "appliedBy", applied_at AS "appliedAt", revision,
  (SELECT promotions.id FROM promotions WHERE change_set_id = change_sets.id) AS "promotion",
  patch::text AS "patch", operations::text AS "operations", disputed::text AS "disputed"
FROM change_sets
WHERE zone_id = ${zone} AND applied_at IS NULL AND ends_at > statement_timestamp()
  AND (disputed IS NOT NULL OR base <> (SELECT revision FROM zones WHERE id = ${zone}))
ORDER BY id
