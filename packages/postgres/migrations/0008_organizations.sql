-- Organization policies and invitations.

ALTER TABLE organizations
  -- Case-folded name, in byte order so that sorting does not depend on the locale.
  ADD COLUMN name_key text COLLATE "C",
  -- Denies access to members without a second factor.
  ADD COLUMN enforce_two_factor boolean NOT NULL DEFAULT false,
  ADD COLUMN revision integer NOT NULL DEFAULT 1;
UPDATE organizations SET name_key = lower(name);
ALTER TABLE organizations ALTER COLUMN name_key SET NOT NULL;

-- Members are listed in order of joining.
DROP INDEX memberships_organization;
CREATE INDEX memberships_organization ON memberships (organization_id, joined_at, user_id);

CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  email text NOT NULL,
  -- The address in lower-case ASCII.
  email_key text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'editor', 'viewer')),
  invited_by uuid REFERENCES users ON DELETE SET NULL,
  -- SHA-256, hex; the token itself is only in the mail.
  hash text NOT NULL CONSTRAINT invitations_hash_unique UNIQUE,
  -- An overdue pending invitation counts as expired; its status is updated when another one replaces it.
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'revoked', 'expired')),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX invitations_one_pending ON invitations (organization_id, email_key) WHERE status = 'pending';
CREATE INDEX invitations_of_organization ON invitations (organization_id, created_at DESC, id DESC);
CREATE INDEX invitations_invited_by ON invitations (invited_by);

-- For counting an account's mails of the last hour.
CREATE INDEX mailed_tokens_issued ON mailed_tokens (user_id, purpose, created_at);
