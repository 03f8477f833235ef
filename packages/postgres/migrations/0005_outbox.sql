-- Mails of committed changes that await delivery (transactional outbox).
CREATE TABLE outbox_mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Encrypted; wiped after delivery or the last attempt.
  payload text,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  done_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((done_at IS NULL) = (payload IS NOT NULL))
);
CREATE INDEX outbox_mails_due ON outbox_mails (due_at) WHERE done_at IS NULL;
