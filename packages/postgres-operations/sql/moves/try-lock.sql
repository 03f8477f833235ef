SELECT pg_try_advisory_xact_lock(hashtextextended('zonewright move ' || ${lock}, 0)) AS "locked"
