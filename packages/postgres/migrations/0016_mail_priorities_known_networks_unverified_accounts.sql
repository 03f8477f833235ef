-- Delivery priority: 0 for mails without which an account cannot be used, 1 for notices, 2 for invitations. Mails added
-- by instances of the previous version go first.
ALTER TABLE outbox_mails
  ADD COLUMN priority smallint NOT NULL DEFAULT 0,
  -- Recipient and kind of a notice, which are limited per hour; null for other mails.
  ADD COLUMN notified_user_id uuid,
  ADD COLUMN notice text,
  ADD CHECK ((notified_user_id IS NULL) = (notice IS NULL));
CREATE INDEX outbox_mails_next ON outbox_mails (priority, due_at) WHERE done_at IS NULL;
DROP INDEX outbox_mails_due;
CREATE INDEX outbox_mails_notices ON outbox_mails (notified_user_id, notice, created_at)
  WHERE notified_user_id IS NOT NULL;

-- Networks from which a user has signed in: a sign-in from any other notifies the user. At most 50 per user.
CREATE TABLE sign_in_networks (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  network text NOT NULL,
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, network)
);
-- Without earlier sign-ins, every account would get a notice after the upgrade.
INSERT INTO sign_in_networks (user_id, network, last_used_at)
SELECT user_id, network, last_used_at FROM (
  SELECT a.actor_id AS user_id, a.network, max(a.at) AS last_used_at,
    row_number() OVER (PARTITION BY a.actor_id ORDER BY max(a.at) DESC) AS place
  FROM audit_log AS a JOIN users AS u ON u.id = a.actor_id
  WHERE a.action = 'session.opened' AND a.network IS NOT NULL
  GROUP BY a.actor_id, a.network
) AS past
WHERE place <= 50;

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
-- Revokes earlier invitations whose inviters have lost permission.
UPDATE invitations AS i SET status = 'revoked'
WHERE status = 'pending' AND expires_at > now() AND NOT EXISTS (
  SELECT FROM memberships AS m JOIN users AS u ON u.id = m.user_id
  WHERE m.organization_id = i.organization_id AND m.user_id = i.invited_by AND u.active
    AND (m.role = 'owner' OR m.role = 'admin' AND i.role <> 'owner')
);

-- Unverified accounts are deleted after a week.
CREATE INDEX users_unverified ON users (created_at) WHERE email_verified_at IS NULL;
-- Deleting a user looks up all references.
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX challenges_user ON challenges (user_id);
CREATE INDEX zones_created_by ON zones (created_by) WHERE created_by IS NOT NULL;
