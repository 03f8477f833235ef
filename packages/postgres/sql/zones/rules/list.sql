-- Includes the list's total and revision, so that all are consistent: at least one row, without a rule if the page is
-- empty. Omits the texts of a page that is too large.
WITH places AS (
  SELECT r.id, r.name_key, row_number() OVER (ORDER BY r.rank)::int AS "order"
  FROM rules AS r JOIN zones AS z ON z.id = r.zone_id
  WHERE r.zone_id = ${zone} AND r.kind = ${kind}
), matching AS (
  SELECT id, places.order FROM places
  WHERE cardinality(${patterns}::text[]) = 0 OR name_key LIKE ANY (${patterns})
), page AS (
  SELECT id, matching.order FROM matching ORDER BY matching.order LIMIT ${limit} OFFSET ${offset}
)
SELECT r.id, r.zone_id AS "zoneId", r.kind, r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision,
  page.order, r.content_bytes AS "bytes",
  CASE WHEN sum(r.content_bytes) OVER () <= ${maxBytes} OR count(*) OVER () = 1 THEN r.content::text END AS "content",
  (SELECT count(*)::int FROM matching) AS "totalItems",
  coalesce((
    SELECT l.revision FROM rule_lists AS l JOIN zones AS z ON z.id = l.zone_id WHERE l.zone_id = ${zone} AND l.kind = ${kind}
  ), 0) AS "listRevision"
FROM (SELECT) AS whole LEFT JOIN (page JOIN rules AS r ON r.id = page.id) ON true
ORDER BY page.order
