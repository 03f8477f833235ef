DELETE FROM mailed_tokens WHERE hash IN (
  SELECT hash FROM mailed_tokens WHERE expires_at < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch} FOR UPDATE SKIP LOCKED
) RETURNING hash
