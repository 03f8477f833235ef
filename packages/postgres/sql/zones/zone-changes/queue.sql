-- Those who wait lock no row: only units that queue wait for one another.
SELECT pg_advisory_xact_lock(hashtextextended('zonewright zone ' || ${zone}, 0))
