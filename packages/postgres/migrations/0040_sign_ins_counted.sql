-- Raised by every session that is opened: a statement that reads what earlier sign-ins left sees whether another one has
-- come in between.
ALTER TABLE users ADD COLUMN sign_ins integer NOT NULL DEFAULT 0;
