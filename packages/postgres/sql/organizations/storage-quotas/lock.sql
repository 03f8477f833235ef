-- Until the end of the unit.
SELECT pg_advisory_xact_lock(hashtextextended('zonewright storage ' || ${organization}, 0))
