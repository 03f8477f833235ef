-- Number of resends: limited, and part of the invitation's version.
ALTER TABLE invitations ADD COLUMN resends integer NOT NULL DEFAULT 0;
