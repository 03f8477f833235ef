SELECT count(*)::int AS "total" FROM bench_texts WHERE organization_id = ANY ($1) AND search_key LIKE $2
