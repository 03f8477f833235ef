-- The positions in pg_stat_replication are visible to members of pg_monitor only; every role may call these functions.
SELECT pg_current_wal_lsn()::text AS "position", extract(epoch FROM clock_timestamp())::float8 AS "at"
