DELETE FROM spent_states WHERE hash IN (
  SELECT hash FROM spent_states WHERE spent_at < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch} FOR UPDATE SKIP LOCKED
) RETURNING hash
