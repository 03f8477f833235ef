-- Accounts, their credentials, and the organizations they belong to.

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  -- The address in lower-case ASCII: the only lookup key of an account.
  email_key text NOT NULL CONSTRAINT users_email_key_unique UNIQUE,
  -- Argon2id in PHC string format; null for accounts that sign in only through a provider.
  password_hash text,
  first_name text NOT NULL,
  last_name text NOT NULL,
  -- False when an administrator has blocked the account.
  active boolean NOT NULL DEFAULT true,
  email_verified_at timestamptz(3),
  -- Incremented when credentials change, which invalidates everything issued before.
  credentials_version integer NOT NULL DEFAULT 1,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Accounts at other sign-in providers, stored by services that embed the domain.
CREATE TABLE provider_identities (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  provider text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, subject),
  UNIQUE (user_id, provider)
);

CREATE TABLE mailed_tokens (
  -- SHA-256, hex; the token itself is only in the mail.
  hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('verify-email', 'reset-password')),
  email_key text NOT NULL,
  credentials_version integer NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
-- A new token supersedes the old one: at most one can be redeemed.
CREATE UNIQUE INDEX mailed_tokens_one_live ON mailed_tokens (user_id, purpose) WHERE used_at IS NULL;

CREATE TABLE organizations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE memberships (
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'editor', 'viewer')),
  joined_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, organization_id)
);
CREATE INDEX memberships_organization ON memberships (organization_id);
