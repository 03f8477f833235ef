-- The user's own limits by name, such as `{"apiTokens": 200}`. Null: the operator's limits apply.
ALTER TABLE users ADD COLUMN limits jsonb;
