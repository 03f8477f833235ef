-- How often an invitation was sent again: there is a limit, and it tells versions of the invitation apart.
ALTER TABLE invitations ADD COLUMN resends integer NOT NULL DEFAULT 0;
