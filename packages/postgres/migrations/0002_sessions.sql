CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Authentication methods (RFC 8176).
  methods text[] NOT NULL,
  user_agent text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  -- No refresh token outlives this time.
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);
CREATE INDEX sessions_live_of_user ON sessions (user_id) WHERE ended_at IS NULL;

CREATE TABLE refresh_tokens (
  -- SHA-256, hex.
  hash text PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  -- Used tokens are kept as long as the session, to detect reuse.
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
-- One chain of tokens per session: only its last one can be used.
CREATE UNIQUE INDEX refresh_tokens_one_live ON refresh_tokens (session_id) WHERE used_at IS NULL;
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);
