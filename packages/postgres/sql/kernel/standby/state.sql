-- What identifies a server and how far it is. All servers of a replication cluster have the same identifier, and so does a
-- clone that was made from a backup; the newest entry of the audit log tells them apart. Any role may call these functions.
SELECT
  (SELECT system_identifier::text FROM pg_control_system()) AS "cluster",
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS "database",
  pg_is_in_recovery() AS "isStandby",
  extract(epoch FROM pg_postmaster_start_time())::text AS "startedAt",
  (SELECT timeline_id FROM pg_control_checkpoint()) AS "timeline",
  (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END)::text AS "position",
  newest.id::text AS "entry", md5(concat_ws(' ', newest.action, extract(epoch FROM newest.at), newest.objects)) AS "digest"
FROM (VALUES (true)) AS server LEFT JOIN LATERAL (
  SELECT id, action, at, objects FROM audit_log ORDER BY id DESC LIMIT 1
) AS newest ON true
