-- Responses to requests with an `Idempotency-Key`, for clients that did not receive them.
CREATE TABLE idempotency_keys (
  -- The key's owner: the id of a session or an API token. Rows outlive it by at most a day.
  scope text NOT NULL,
  key text COLLATE "C" NOT NULL,
  -- Encrypted together with the digest of the request. Null only inside the transaction that creates it.
  answer text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
