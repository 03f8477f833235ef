-- One instance at a time; the others need not wait.
SELECT pg_try_advisory_xact_lock(hashtextextended('zonewright clean-up', 0)) AS "locked"
