-- SKIP LOCKED: instances share the work instead of waiting for each other.
UPDATE outbox_mails SET attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
WHERE id = (
  SELECT id FROM outbox_mails WHERE done_at IS NULL AND due_at <= now()
  ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id, payload, attempts
