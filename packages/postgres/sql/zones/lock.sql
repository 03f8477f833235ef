-- FOR UPDATE: every change inside a zone takes turns with every other one.
SELECT /*part zones/columns*/, s.settings::text AS "settings"
FROM zones AS z JOIN zone_settings AS s ON s.zone_id = z.id
WHERE z.id = ${id}
FOR UPDATE OF z, s
