CREATE TABLE api_tokens (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- SHA-256, hex.
  hash text NOT NULL CONSTRAINT api_tokens_hash_unique UNIQUE,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  -- The visible part of the token.
  prefix text NOT NULL,
  read_only boolean NOT NULL,
  -- Empty: all organizations of the user. Ids of deleted organizations are kept: removing the last one would widen the
  -- token's access.
  organizations integer[] NOT NULL,
  expires_at timestamptz(3),
  -- Accurate to the minute.
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX api_tokens_name_unique ON api_tokens (user_id, name_key) WHERE revoked_at IS NULL;
CREATE INDEX api_tokens_of_user ON api_tokens (user_id, created_at DESC, id DESC);
