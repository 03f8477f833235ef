-- Limits that a user has of their own, by name: `{"apiTokens": 200}`. Null: none, those of the operator hold.
ALTER TABLE users ADD COLUMN limits jsonb;
