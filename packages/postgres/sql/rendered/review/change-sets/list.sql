-- Rendered from templates/review/change-sets/list.sql.eta
SELECT id, zone_id AS "zoneId", title, description,
  CASE WHEN applied_at IS NOT NULL THEN 'applied' WHEN ends_at > statement_timestamp() THEN 'open' ELSE 'discarded' END
    AS "status",
  base, created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt", ends_at AS "endsAt",
  text_bytes AS "bytes", CASE WHEN merge_set_revision = revision THEN merge_zone_revision END AS "zoneRevision",
  merge_conflicted AS "isConflicted", merge_characters AS "characters",
  applied_revision AS "appliedRevision", applied_by AS "appliedBy", applied_at AS "appliedAt", revision,
  (SELECT promotions.id FROM promotions WHERE change_set_id = change_sets.id) AS "promotion"
FROM change_sets
WHERE zone_id = ${zone}
  AND (cardinality(${statuses}::text[]) = 0 OR CASE
    WHEN applied_at IS NOT NULL THEN 'applied'
    WHEN ends_at <= statement_timestamp() THEN 'discarded'
    WHEN merge_set_revision = revision AND merge_conflicted THEN 'conflicted'
    ELSE 'open'
  END = ANY (${statuses}::text[]))
  AND (${createdBy}::uuid IS NULL OR created_by = ${createdBy}::uuid)
  AND title_key LIKE ${search}
ORDER BY
  CASE ${createdOrder}::text WHEN 'asc' THEN created_at END,
  CASE ${createdOrder}::text WHEN 'desc' THEN created_at END DESC,
  CASE ${updatedOrder}::text WHEN 'asc' THEN updated_at END,
  CASE ${updatedOrder}::text WHEN 'desc' THEN updated_at END DESC,
  created_at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
