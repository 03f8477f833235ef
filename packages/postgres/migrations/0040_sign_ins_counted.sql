-- Incremented by every new session: a statement that read earlier sign-ins can detect a concurrent one.
ALTER TABLE users ADD COLUMN sign_ins integer NOT NULL DEFAULT 0;
