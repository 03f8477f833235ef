INSERT INTO organizations (name, name_key)
SELECT 'Foreign ' || n, 'foreign ' || n FROM generate_series(1, $1) AS n
