-- Requested and confirmed changes of addresses, until they can no longer be undone.
CREATE TABLE address_changes (
  -- SHA-256, hex; the tokens themselves are only in the mails.
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
CREATE INDEX address_changes_of_user ON address_changes (user_id, created_at);
CREATE INDEX address_changes_reserved ON address_changes (old_email_key) WHERE confirmed_at IS NOT NULL AND undone_at IS NULL;

-- For the log of an account: entries that belong to no organization.
CREATE INDEX IF NOT EXISTS audit_log_of_account ON audit_log (actor_id, at DESC, id DESC) WHERE organization_id IS NULL;
