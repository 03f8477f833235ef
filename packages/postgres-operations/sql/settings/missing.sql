-- Settings that this session lacks, each as the statement that gives it to the role.
SELECT format('ALTER ROLE %I IN DATABASE %I SET %I = %L;', session_user, current_database(), s.name, needed.value) AS "statement"
FROM json_each_text(${settings}::json) AS needed (name, value) JOIN pg_settings AS s ON s.name = needed.name
WHERE s.setting <> needed.value
