-- Returns one row. Finds the page by indexes only, reading per organization and tag no more than the page can show;
-- returns only the names of its states, and the exact total. `xmin` distinguishes states with the same revision before and
-- after a database restore. Everything found is null if the page that was read earlier is current.
WITH /*ctes*/,
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
SELECT CASE WHEN NOT earlier.is_current THEN (/*total*/) END AS "totalItems",
  CASE WHEN NOT earlier.is_current THEN (
    SELECT string_agg(concat_ws(' ', id, organization_id, state), ',' ORDER BY place) FROM states
  ) END AS "states" /*callerColumns*/
FROM caller AS a CROSS JOIN earlier
