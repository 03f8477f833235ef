SELECT member, count(*)::int AS "count", string_agg(body, ',' ORDER BY place) AS "items"
FROM bench_answers WHERE zone_id = $1 GROUP BY member
