-- Answers to requests that carried an `Idempotency-Key`, for clients that did not hear them.
CREATE TABLE idempotency_keys (
  -- Whose key it is: the id of a session or an API token. Rows outlive it by a day at most.
  scope text NOT NULL,
  key text COLLATE "C" NOT NULL,
  -- Encrypted, together with the digest of the request. Missing only inside the transaction that makes it.
  answer text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
