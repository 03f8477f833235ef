-- Rendered from templates/organizations/audit-log/total.sql.eta
SELECT count(*)::int AS "total" FROM audit_log
WHERE organization_id = ${organization}
  AND (cardinality(${actions}::text[]) = 0 OR action = ANY (${actions}))
  AND (${actor}::uuid IS NULL OR actor_id = ${actor})
  AND (${zones}::text[] IS NULL OR coalesce(objects ->> 'zone' = ANY (${zones}), true))
  AND (${since}::timestamptz IS NULL OR at >= ${since})
  AND (${until}::timestamptz IS NULL OR at < ${until})
