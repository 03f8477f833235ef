DELETE FROM domains WHERE id IN (
  SELECT id FROM domains WHERE state = 'pending' AND created_at < now() - make_interval(secs => ${lifetimeSeconds})
    AND NOT EXISTS (SELECT FROM host_names WHERE domain_id = domains.id)
  ORDER BY created_at LIMIT ${batch} FOR UPDATE SKIP LOCKED
) RETURNING id
