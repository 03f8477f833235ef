-- A sign-in or a confirmation, whichever was later.
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz(3) NOT NULL DEFAULT now();
-- The identity provider that the user signed in by.
ALTER TABLE sessions ADD COLUMN provider text;
UPDATE sessions SET confirmed_at = created_at WHERE ended_at IS NULL;
-- Whether a confirmed session enrolled the factor, so that it confirms sessions that are older than itself.
ALTER TABLE two_factor ADD COLUMN enrolled_by_confirmed boolean NOT NULL DEFAULT false;
