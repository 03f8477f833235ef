-- The state before this revision once the previous one has been removed, so that each revision still shows its change.
ALTER TABLE backend_revisions ADD COLUMN before json;

INSERT INTO clean_up_walks (name) VALUES ('history of backends');
