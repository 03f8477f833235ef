-- pg_stat_replication shows positions only to members of pg_monitor; any role may call these functions.
SELECT pg_current_wal_lsn()::text AS "position", extract(epoch FROM clock_timestamp())::float8 AS "at"
