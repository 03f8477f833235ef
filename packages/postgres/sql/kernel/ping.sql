SELECT 1 AS "one"
