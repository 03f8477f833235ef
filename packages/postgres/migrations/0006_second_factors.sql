-- Second factors, and sign-ins that still wait for one.

CREATE TABLE two_factor (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- No row: disabled.
  state text NOT NULL CHECK (state IN ('pending', 'enabled')),
  -- The shared secret, encrypted.
  secret text NOT NULL,
  -- A secret that is not confirmed by then is worth nothing.
  pending_expires_at timestamptz(3),
  -- The greatest time step that was spent: neither it nor one before it counts again.
  last_step bigint,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((state = 'pending') = (pending_expires_at IS NOT NULL))
);

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Keyed hash with the name of its key.
  hash text NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (user_id, hash)
);

CREATE TABLE challenges (
  -- SHA-256, hex.
  hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  credentials_version integer NOT NULL,
  -- Codes that were tried, the right one included.
  attempts integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  -- Answered, or taken out of force.
  spent_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
-- A new sign-in takes the place of the one before: at most one can be completed.
CREATE UNIQUE INDEX challenges_one_live ON challenges (user_id) WHERE spent_at IS NULL;
