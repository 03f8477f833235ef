SELECT count(*)::int AS "total" FROM audit_log
WHERE organization_id IS NULL AND actor_id = ${user}
  AND (cardinality(${actions}::text[]) = 0 OR action = ANY (${actions}))
  AND (${since}::timestamptz IS NULL OR at >= ${since})
  AND (${until}::timestamptz IS NULL OR at < ${until})
