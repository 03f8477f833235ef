CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Chosen by the authenticator; base64url.
  credential_id text NOT NULL CONSTRAINT passkeys_credential_id_unique UNIQUE,
  -- A COSE key; base64url.
  public_key text NOT NULL,
  -- As its authenticator counts signatures: 32 bits, and 0 if it does not count.
  counter bigint NOT NULL,
  name text NOT NULL,
  transports text[] NOT NULL,
  backed_up boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE INDEX passkeys_user ON passkeys (user_id);

CREATE TABLE passkey_challenges (
  -- SHA-256 of purpose and challenge, hex. A challenge that is used is deleted.
  hash text PRIMARY KEY,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at);

-- Who has two factors: at least one row each.
CREATE VIEW second_factors AS
  SELECT user_id FROM two_factor WHERE state = 'enabled' UNION ALL SELECT user_id FROM passkeys;
