-- Partitions are counted in their tables.
SELECT relname AS "name" FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname
