-- Rendered from templates/review/change-sets/by-id.sql.eta
SELECT id, zone_id AS "zoneId", title, description,
  CASE WHEN applied_at IS NOT NULL THEN 'applied' WHEN ends_at > statement_timestamp() THEN 'open' ELSE 'discarded' END
    AS "status",
  base, created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt", ends_at AS "endsAt",
  text_bytes AS "bytes", CASE WHEN merge_set_revision = revision THEN merge_zone_revision END AS "zoneRevision",
  merge_conflicted AS "isConflicted", merge_characters AS "characters",
  applied_revision AS "appliedRevision", applied_by AS "appliedBy", applied_at AS "appliedAt", revision,
  (SELECT promotions.id FROM promotions WHERE change_set_id = change_sets.id) AS "promotion",
  CASE WHEN text_bytes <= ${maxBytes} THEN patch::text END AS "patch",
  CASE WHEN text_bytes <= ${maxBytes} THEN operations::text END AS "operations",
  CASE WHEN text_bytes <= ${maxBytes} THEN disputed::text END AS "disputed"
FROM change_sets
WHERE id = ${id} AND zone_id = ${zone}
