-- Closes idle connections from before the settings, and counts the busy ones.
SELECT count(CASE state WHEN 'idle' THEN pg_terminate_backend(pid) ELSE true END)::int AS "left" FROM pg_stat_activity
WHERE usename = session_user AND datname = current_database() AND backend_start < ${since} AND pid <> pg_backend_pid()
