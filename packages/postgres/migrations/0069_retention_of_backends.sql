-- The state of the revision before, once that is not kept any more: so each revision shows what it changed.
ALTER TABLE backend_revisions ADD COLUMN before json;

INSERT INTO clean_up_walks (name) VALUES ('history of backends');
