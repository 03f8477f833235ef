-- The rules of these zones, among those of others.
INSERT INTO bench_rules
SELECT gen_random_uuid(), id, n, '{}', now(), now() FROM zones, generate_series(1, 3) AS n
WHERE id NOT IN (SELECT zone_id FROM rules) AND name_key < 'zone-3'
UNION ALL
SELECT id, zone_id, row_number() OVER (PARTITION BY zone_id, kind ORDER BY rank), content, created_at, updated_at FROM rules
WHERE zone_id = ANY ($1::uuid[])
