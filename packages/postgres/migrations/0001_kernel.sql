-- The data model, one file for each context: kernel, organizations, accounts, zones, review, delivery. A file refers only to
-- tables of the files before it. Later changes of the schema are new migrations, in two phases (decision 0065).
--
-- Columns that recur: `…_key` is a case-folded name, compared in byte order so that sorting does not depend on the locale;
-- `revision` counts the versions of a row; times are accurate to a millisecond, as in the API, and end in `_at` or `_until`.

-- UNLOGGED: every request writes here and would otherwise wait for the disk. Counters survive a clean restart; after a crash all
-- windows start over.
CREATE UNLOGGED TABLE rate_limits (
  -- HMAC-SHA-256 of the name of the limit and of who is limited, hex.
  key text PRIMARY KEY,
  points integer NOT NULL,
  -- End of the window, or of the lock, in milliseconds since 1970 by the clock of this server.
  expire bigint NOT NULL,
  -- Locks since the last success: each lasts longer than the previous one.
  locks integer NOT NULL DEFAULT 0,
  -- The end of the window that a lock has replaced. Null: no lock.
  window_end bigint
) WITH (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);
COMMENT ON TABLE rate_limits IS 'Points that somebody has used up of a rate limit in the current window';
-- For the clean-up.
CREATE INDEX rate_limits_expire ON rate_limits (expire);

CREATE TABLE idempotency_keys (
  -- The key's owner: the id of a session or an API token. Rows outlive it by at most a day.
  scope text NOT NULL,
  key text COLLATE "C" NOT NULL,
  -- Encrypted together with the digest of the request. Null only inside the transaction that creates it.
  answer text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, key)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE idempotency_keys IS 'Responses to requests with an Idempotency-Key, for clients that did not receive them';
-- For the clean-up.
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

CREATE TABLE outbox_mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Encrypted. Null after delivery or the last attempt.
  payload text,
  -- 0: a mail without which an account cannot be used, 1: a notice, 2: an invitation.
  priority smallint NOT NULL DEFAULT 0,
  -- Recipient and kind of a notice, which are limited per hour. Null for other mails.
  notified_user_id uuid,
  notice text,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  done_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((done_at IS NULL) = (payload IS NOT NULL)),
  CHECK ((notified_user_id IS NULL) = (notice IS NULL))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE outbox_mails IS 'Mails of committed changes, until a few days after their delivery (transactional outbox)';
-- For the next mail to deliver.
CREATE INDEX outbox_mails_next ON outbox_mails (priority, due_at) WHERE done_at IS NULL;
-- For counting the notices of the last hour.
CREATE INDEX outbox_mails_notices ON outbox_mails (notified_user_id, notice, created_at) WHERE notified_user_id IS NOT NULL;

CREATE TABLE clean_up_walks (
  name text PRIMARY KEY,
  -- Null between two walks.
  position text,
  began_at timestamptz NOT NULL DEFAULT '-infinity'
);
COMMENT ON TABLE clean_up_walks IS 'How far the clean-up has got in a table that it walks through in batches once a day';
INSERT INTO clean_up_walks (name)
VALUES ('history'), ('history of backends'), ('audit log'), ('audit logs of organizations');
