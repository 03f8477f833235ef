-- Accounts of users, with everything by which they sign in.

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  -- The address in lower-case ASCII: the only lookup key of an account.
  email_key text NOT NULL CONSTRAINT users_email_key_unique UNIQUE,
  email_verified_at timestamptz(3),
  first_name text NOT NULL,
  last_name text NOT NULL,
  -- Argon2id in PHC string format; null for accounts that sign in only through a provider or by a passkey.
  password_hash text,
  -- The last change of the password, which undoing a change of the address ends if it was later. Null: never changed.
  password_set_at timestamptz(3),
  -- Incremented when credentials change, which invalidates everything issued before.
  credentials_version integer NOT NULL DEFAULT 1,
  -- Incremented by every new session: a statement that read earlier sign-ins can detect a concurrent one.
  sign_ins integer NOT NULL DEFAULT 0,
  -- False when an administrator has blocked the account.
  active boolean NOT NULL DEFAULT true,
  -- Its own limits by name, such as `{"apiTokens": 200}`. Null: the operator's limits apply.
  limits jsonb,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
COMMENT ON TABLE users IS 'The account of a user';
-- For the clean-up of those that are not verified within a week.
CREATE INDEX users_unverified ON users (created_at) WHERE email_verified_at IS NULL;

ALTER TABLE memberships ADD FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;
ALTER TABLE invitations ADD FOREIGN KEY (invited_by) REFERENCES users ON DELETE SET NULL;

-- An invitation ends with its inviter's permission. Removing or demoting a member revokes invitations in the same
-- transaction; this trigger covers administrators who block or delete an account without thinking of invitations.
CREATE FUNCTION revoke_invitations_of_inviter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE invitations SET status = 'revoked'
  WHERE invited_by = OLD.id AND status = 'pending' AND expires_at > now();
  RETURN OLD;
END $$;
CREATE TRIGGER users_blocked AFTER UPDATE OF active ON users
  FOR EACH ROW WHEN (OLD.active AND NOT NEW.active) EXECUTE FUNCTION revoke_invitations_of_inviter();
CREATE TRIGGER users_deleted BEFORE DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION revoke_invitations_of_inviter();

-- Ways to sign in. Those that have been added after a change of the address end when it is undone.
CREATE TABLE provider_identities (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The operator's name of the provider.
  provider text NOT NULL,
  -- By these it is found at a sign-in.
  issuer text NOT NULL,
  subject text NOT NULL,
  -- The address that the provider had verified when the identity was linked. Null: none.
  email text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  CONSTRAINT provider_identities_issuer_subject UNIQUE (issuer, subject),
  UNIQUE (provider, subject),
  UNIQUE (user_id, provider)
);
COMMENT ON TABLE provider_identities IS 'A user at an identity provider';

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
COMMENT ON TABLE passkeys IS 'A passkey of a user';
CREATE INDEX passkeys_user ON passkeys (user_id);

CREATE TABLE two_factor (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('pending', 'enabled')),
  -- The shared secret, encrypted.
  secret text NOT NULL,
  -- An unconfirmed secret expires at this time.
  pending_expires_at timestamptz(3),
  -- The highest time step used: codes of this or an earlier step are rejected.
  last_step bigint,
  -- Whether a confirmed session enrolled it, so that it confirms sessions that are older than itself.
  enrolled_by_confirmed boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((state = 'pending') = (pending_expires_at IS NOT NULL))
);
COMMENT ON TABLE two_factor IS 'The authenticator app of a user; users without one have no row';

-- Who has two factors: at least one row each.
CREATE VIEW second_factors AS
  SELECT user_id FROM two_factor WHERE state = 'enabled' UNION ALL SELECT user_id FROM passkeys;

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Keyed hash, prefixed with the name of its key.
  hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  used_at timestamptz(3),
  PRIMARY KEY (user_id, hash)
);
COMMENT ON TABLE recovery_codes IS 'A code that replaces a code of the authenticator app once';

-- Sign-ins that are under way. Each token, challenge and state has a hash, SHA-256 in hex; it is nowhere stored itself.
CREATE TABLE challenges (
  hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  credentials_version integer NOT NULL,
  -- The identity provider of the first step. Null: it was the password.
  provider text,
  -- Attempts so far, including the successful one.
  attempts integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  -- When it was answered or superseded.
  spent_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE challenges IS 'A sign-in that waits for its second factor';
-- A new challenge supersedes the old one: at most one can be completed.
CREATE UNIQUE INDEX challenges_one_live ON challenges (user_id) WHERE spent_at IS NULL;
-- For deleting a user.
CREATE INDEX challenges_user ON challenges (user_id);

CREATE TABLE passkey_challenges (
  -- Of purpose and challenge.
  hash text PRIMARY KEY,
  expires_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE passkey_challenges IS 'A challenge that a passkey may sign; deleted when it is used';
-- For the clean-up.
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at);

CREATE TABLE spent_states (
  hash text PRIMARY KEY,
  spent_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE spent_states IS 'The state of a sign-in by a provider that is over: none is completed twice';
-- For the clean-up.
CREATE INDEX spent_states_age ON spent_states (spent_at);

CREATE TABLE mailed_tokens (
  hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('verify-email', 'reset-password')),
  -- The address that it was sent to, and the credentials then: it is valid as long as the account has them.
  email_key text NOT NULL,
  credentials_version integer NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE mailed_tokens IS 'A link in a mail that verifies an address or resets a password';
-- A new token supersedes the old one: at most one can be redeemed.
CREATE UNIQUE INDEX mailed_tokens_one_live ON mailed_tokens (user_id, purpose) WHERE used_at IS NULL;
-- For counting an account's mails of the last hour.
CREATE INDEX mailed_tokens_issued ON mailed_tokens (user_id, purpose, created_at);

CREATE TABLE address_changes (
  -- Of the links to the new and to the old address.
  confirm_hash text PRIMARY KEY,
  undo_hash text NOT NULL CONSTRAINT address_changes_undo_hash_unique UNIQUE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The session that asked for the change.
  session_id uuid NOT NULL,
  old_email text NOT NULL,
  old_email_key text NOT NULL,
  new_email text NOT NULL,
  new_email_key text NOT NULL,
  credentials_version integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- The link to the new address works until then.
  confirm_until timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  -- The link to the old address works until then; if the change was confirmed, nobody else can have that address.
  undo_until timestamptz(3) NOT NULL,
  -- When it was undone, or voided by undoing an earlier change.
  undone_at timestamptz(3)
);
COMMENT ON TABLE address_changes IS 'A requested or confirmed change of an address, until it can no longer be undone';
-- For counting the requests of the last hour.
CREATE INDEX address_changes_of_user ON address_changes (user_id, created_at);
-- For refusing an address that somebody can still get back.
CREATE INDEX address_changes_reserved ON address_changes (old_email_key) WHERE confirmed_at IS NOT NULL AND undone_at IS NULL;

CREATE TABLE sign_in_networks (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  network text NOT NULL,
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, network)
);
COMMENT ON TABLE sign_in_networks IS 'A network from which a user has signed in, at most 50 each: other ones cause a notice';

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Authentication methods (RFC 8176).
  methods text[] NOT NULL,
  -- The identity provider that the user signed in by. Null: by none.
  provider text,
  user_agent text,
  -- The sign-in or a confirmation, whichever was later.
  confirmed_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  -- No refresh token outlives this time.
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
COMMENT ON TABLE sessions IS 'A signed-in user, on one device';
-- For lists of sessions, and for ending them.
CREATE INDEX sessions_live_of_user ON sessions (user_id) WHERE ended_at IS NULL;
-- For deleting a user.
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE refresh_tokens (
  hash text PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  -- Used tokens are kept as long as the session, to detect reuse.
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0.02);
COMMENT ON TABLE refresh_tokens IS 'A token that continues a session once';
-- One chain of tokens per session: only its last one can be used.
CREATE UNIQUE INDEX refresh_tokens_one_live ON refresh_tokens (session_id) WHERE used_at IS NULL;
-- For deleting a session.
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);

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
  -- What it may do; `admin` includes all other permissions.
  permissions text[] NOT NULL,
  -- Empty: all organizations of the user. Ids of deleted organizations are kept: removing the last one would widen the
  -- token's access.
  organizations integer[] NOT NULL,
  -- Null: all zones. Ids of deleted zones are kept for the same reason.
  zones uuid[],
  -- Addresses and ranges in canonical form from which it may be used. Null: anywhere.
  networks text[],
  -- Null: never.
  expires_at timestamptz(3),
  -- Accurate to the minute.
  last_used_at timestamptz(3),
  -- The /24 or /48 of the last recorded use.
  last_used_network text,
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Whoever manages members can have them change any zone.
  CONSTRAINT api_tokens_admin_unlimited CHECK (zones IS NULL OR NOT 'admin' = ANY (permissions))
);
COMMENT ON TABLE api_tokens IS 'A token by which programs act for a user';
CREATE UNIQUE INDEX api_tokens_name_unique ON api_tokens (user_id, name_key) WHERE revoked_at IS NULL;
-- For lists, the newest first.
CREATE INDEX api_tokens_of_user ON api_tokens (user_id, created_at DESC, id DESC);
