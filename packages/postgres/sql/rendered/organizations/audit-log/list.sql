-- Rendered from templates/organizations/audit-log/list.sql.eta
SELECT id, at, action, actor_id AS "actor", credential_id AS "credential", organization_id AS "organization", objects,
  network, user_agent AS "userAgent"
FROM audit_log
WHERE organization_id = ${organization}
  AND (cardinality(${actions}::text[]) = 0 OR action = ANY (${actions}))
  AND (${actor}::uuid IS NULL OR actor_id = ${actor})
  AND (${zones}::text[] IS NULL OR coalesce(objects ->> 'zone' = ANY (${zones}), true))
  AND (${since}::timestamptz IS NULL OR at >= ${since})
  AND (${until}::timestamptz IS NULL OR at < ${until})
ORDER BY at DESC, id DESC
LIMIT ${limit} OFFSET ${offset}
