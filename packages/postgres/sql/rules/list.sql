-- The total and the revision of the list come along, so that they are of the same moment as the rules: one row at least,
-- without a rule where the page is empty. Texts of a page that is too large as a whole are not read.
WITH list AS (
  SELECT rule_ids, revision FROM rule_orders WHERE zone_id = ${zone} AND kind = ${kind}
), matching AS (
  SELECT r.id, place.order
  FROM list
    CROSS JOIN unnest(list.rule_ids) WITH ORDINALITY AS place (id, "order")
    JOIN rules AS r ON r.id = place.id
  WHERE cardinality(${patterns}::text[]) = 0 OR r.name_key LIKE ANY (${patterns})
), page AS (
  SELECT id, matching.order FROM matching ORDER BY matching.order LIMIT ${limit} OFFSET ${offset}
)
SELECT /*part rules/columns*/, page.order::int AS "order", r.content_bytes AS "bytes",
  CASE WHEN sum(r.content_bytes) OVER () <= ${maxBytes} OR count(*) OVER () = 1 THEN r.content::text END AS "content",
  (SELECT count(*)::int FROM matching) AS "totalItems", coalesce((SELECT list.revision FROM list), 0) AS "listRevision"
FROM (SELECT) AS whole LEFT JOIN (page JOIN rules AS r ON r.id = page.id) ON true
ORDER BY page.order
