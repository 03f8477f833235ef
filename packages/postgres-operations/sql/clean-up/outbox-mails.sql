DELETE FROM outbox_mails WHERE id IN (
  SELECT id FROM outbox_mails WHERE done_at < now() - interval '7 days' LIMIT 100 FOR UPDATE SKIP LOCKED
) RETURNING id
