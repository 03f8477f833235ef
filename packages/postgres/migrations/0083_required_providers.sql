-- The identity provider that sessions of members must come from.
ALTER TABLE organizations ADD COLUMN required_provider text;
-- The identity provider of the first step of a sign-in; null: it was the password.
ALTER TABLE challenges ADD COLUMN provider text;
