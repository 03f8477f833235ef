-- Omits texts that are too large together.
SELECT /*part zones/columns*/, z.revision || '.' || z.xmin::text AS "state",
  s.settings_bytes AS "bytes",
  CASE WHEN sum(s.settings_bytes) OVER () <= ${maxBytes} OR count(*) OVER () = 1 THEN s.settings::text END AS "settings"
FROM zones AS z JOIN zone_settings AS s ON s.zone_id = z.id
WHERE z.id = ANY (${ids})
