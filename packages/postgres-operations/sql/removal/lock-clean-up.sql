-- Waits for a running clean-up and keeps others from deleting rows meanwhile.
SELECT pg_advisory_xact_lock(hashtextextended('zonewright clean-up', 0))
