DELETE FROM outbox_mails WHERE id IN (
  SELECT id FROM outbox_mails WHERE done_at < now() - make_interval(secs => ${lifetimeSeconds}) LIMIT ${batch} FOR UPDATE SKIP LOCKED
) RETURNING id
