SELECT coalesce(sum(zones), 0)::int AS "total" FROM zone_tallies
WHERE organization_id = ANY (${organizations}) AND (cardinality(${tags}::text[]) = 0 OR tag = ANY (${tags}))
