-- Undoing a change of the address ends what was added since. Null: before this was recorded, or never.
ALTER TABLE users ADD COLUMN password_set_at timestamptz(3);
ALTER TABLE recovery_codes ADD COLUMN created_at timestamptz(3);
ALTER TABLE recovery_codes ALTER COLUMN created_at SET DEFAULT now();
