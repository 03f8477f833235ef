SELECT pg_export_snapshot() AS "snapshot"
