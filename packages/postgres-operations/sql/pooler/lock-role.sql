-- Concurrent ALTER ROLE commands conflict only for the same role.
SELECT pg_advisory_xact_lock(hashtextextended('zonewright time limits', 0))
