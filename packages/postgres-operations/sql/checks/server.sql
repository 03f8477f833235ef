-- All servers of a replication cluster have the same identifier.
SELECT pg_is_in_recovery() AS "isStandby", (SELECT system_identifier::text FROM pg_control_system()) AS "cluster"
