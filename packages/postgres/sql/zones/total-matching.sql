SELECT count(*)::int AS "total" FROM zones
WHERE organization_id = ANY (${organizations}) AND (cardinality(${tags}::text[]) = 0 OR tag = ANY (${tags}))
  AND /*search*/
