SELECT e.name, e.stage, coalesce(s.reported_at > now() - make_interval(secs => ${silentAfterSeconds}), false) AS "isConnected",
  coalesce(s.position, -1)::float8 AS applied, coalesce(s.unsupported_settings, '{}') AS "unsupportedSettings",
  (SELECT r FROM jsonb_array_elements(s.rejected) AS r WHERE r ->> 'id' = ${id}::uuid::text LIMIT 1) AS rejected
FROM edges AS e LEFT JOIN edge_states AS s ON s.edge_id = e.id
WHERE NOT e.is_draining AND (cardinality(e.tags) = 0 OR ${tag} = ANY (e.tags))
  AND (cardinality(e.organizations) = 0 OR ${organizationId} = ANY (e.organizations))
ORDER BY e.name
