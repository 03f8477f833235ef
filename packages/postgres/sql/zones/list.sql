-- The page is found by ids alone, where an index holds all it takes; only its own rows are read in full. The exact total
-- comes along. Texts of a page that is too large as a whole are not read.
WITH page AS (
  SELECT id FROM zones
  WHERE organization_id = ANY (${organizations}) AND /*tags*/ AND /*search*/
  ORDER BY /*order*/
  LIMIT ${limit} OFFSET ${offset}
)
SELECT /*part zones/columns*/, settings_bytes AS "bytes",
  CASE WHEN sum(settings_bytes) OVER () <= ${maxBytes} OR count(*) OVER () = 1 THEN settings::text END AS "settings",
  (/*total*/) AS "totalItems"
FROM page JOIN zones AS z USING (id) JOIN zone_settings ON zone_id = id
ORDER BY /*order*/
