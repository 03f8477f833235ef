-- The organization's own limits by name, such as `{"zones": 1000}`. Null: the operator's limits apply.
ALTER TABLE organizations ADD COLUMN limits jsonb;
