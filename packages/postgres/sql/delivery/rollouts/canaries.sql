SELECT e.tags, e.organizations, coalesce(s.position, -1)::float8 AS applied
FROM edges AS e JOIN edge_states AS s ON s.edge_id = e.id
WHERE e.stage = 'canary' AND NOT e.is_draining AND s.reported_at > now() - make_interval(secs => ${silentAfterSeconds})
