-- One instance at a time; the others have nothing to wait for.
SELECT pg_try_advisory_xact_lock(hashtextextended('zonewright clean-up', 0)) AS "locked"
