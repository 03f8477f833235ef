-- Prepared under the name that is its parameter: a pooler that keeps statements renames them.
SELECT pg_backend_pid() AS "pid", EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1) AS "hasItsName"
