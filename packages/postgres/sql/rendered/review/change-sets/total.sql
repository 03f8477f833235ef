-- Rendered from templates/review/change-sets/total.sql.eta
SELECT count(*)::int AS "total"
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
