-- Whoever assigns positions holds this lock until the commit, so that positions are in the order of commits.
SELECT pg_advisory_xact_lock(hashtextextended('zonewright edge feed', 0))
