-- Second factors and login challenges.

CREATE TABLE two_factor (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- No row means disabled.
  state text NOT NULL CHECK (state IN ('pending', 'enabled')),
  -- The shared secret, encrypted.
  secret text NOT NULL,
  -- An unconfirmed secret expires at this time.
  pending_expires_at timestamptz(3),
  -- The highest time step used: codes of this or an earlier step are rejected.
  last_step bigint,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((state = 'pending') = (pending_expires_at IS NOT NULL))
);

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Keyed hash, prefixed with the name of its key.
  hash text NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (user_id, hash)
);

CREATE TABLE challenges (
  -- SHA-256, hex.
  hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  credentials_version integer NOT NULL,
  -- Attempts so far, including the successful one.
  attempts integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  -- When it was answered or superseded.
  spent_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
-- A new challenge supersedes the old one: at most one can be completed.
CREATE UNIQUE INDEX challenges_one_live ON challenges (user_id) WHERE spent_at IS NULL;
