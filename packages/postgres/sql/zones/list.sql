-- One row, whatever is on the page. The page is found by indexes alone, of each organization and tag no more than could be on
-- it; of its zones only the states are named. The exact total comes along. `xmin` distinguishes what a revision does not: the
-- states of a database before and after it was restored.
WITH /*whose*/,
page AS MATERIALIZED (
  /*page*/
  ORDER BY /*order*/
  LIMIT ${limit} OFFSET ${offset}
), states AS MATERIALIZED (
  SELECT z.*, row_number() OVER (ORDER BY /*places*/) AS place
  FROM page CROSS JOIN LATERAL (
    SELECT id, organization_id, revision || '.' || xmin::text AS state FROM zones WHERE id = page.id LIMIT 1
  ) AS z
)
SELECT (/*total*/) AS "totalItems",
  (SELECT string_agg(concat_ws(' ', id, organization_id, state), ',' ORDER BY place) FROM states) AS "states" /*asked*/
FROM asker AS a
