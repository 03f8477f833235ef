-- Compares the state of another server, which was read before, with the primary. The audit log takes new entries only, so
-- a server whose newest entry is here has the same history up to there.
SELECT
  (SELECT system_identifier::text FROM pg_control_system()) = ${cluster} AS "isSameCluster",
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) = ${database} AS "isSameDatabase",
  extract(epoch FROM pg_postmaster_start_time())::text = ${startedAt} AS "isSameServer",
  (SELECT timeline_id FROM pg_control_checkpoint()) >= ${timeline}::integer AS "hasTimeline",
  pg_current_wal_lsn() >= ${position}::pg_lsn AS "hasPosition",
  ${entry}::text IS NULL OR EXISTS (
    SELECT FROM audit_log
    WHERE id = ${entry}::bigint AND md5(concat_ws(' ', action, extract(epoch FROM at), objects)) = ${digest}::text
  ) AS "hasEntry"
