DELETE FROM passkey_challenges WHERE hash IN (
  SELECT hash FROM passkey_challenges WHERE expires_at < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch} FOR UPDATE SKIP LOCKED
) RETURNING hash
