-- SKIP LOCKED: instances share the work instead of waiting for each other. Both times are rounded alike, so that a mail
-- whose time was rounded up is due immediately.
UPDATE outbox_mails SET attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
WHERE id = (
  SELECT id FROM outbox_mails WHERE done_at IS NULL AND due_at <= now()::timestamptz(3)
  ORDER BY priority, due_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id, payload, attempts, created_at AS "queuedAt"
