SELECT clock_timestamp()::text AS "since"
