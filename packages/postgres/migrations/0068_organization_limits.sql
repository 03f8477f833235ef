-- Limits that an organization has of its own, by name: `{"zones": 1000}`. Null: none, those of the operator hold.
ALTER TABLE organizations ADD COLUMN limits jsonb;
