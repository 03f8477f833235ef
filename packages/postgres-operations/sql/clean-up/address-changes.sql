DELETE FROM address_changes WHERE confirm_hash IN (
  SELECT confirm_hash FROM address_changes
  WHERE undo_until < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch} FOR UPDATE SKIP LOCKED
) RETURNING confirm_hash
