-- Takes a lock that nothing else uses.
SELECT id AS "lock", pg_advisory_xact_lock(hashtextextended('zonewright move ' || id, 0))
FROM (SELECT gen_random_uuid() || clock_timestamp()::text AS id) AS new
