-- Contract: unique indexes on columns that no version before this one writes.
-- Identities at providers sign in here: they are found by issuer and subject, and named by their id.
ALTER TABLE provider_identities ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
ALTER TABLE provider_identities ADD COLUMN issuer text;
-- The address that the provider had verified when the identity was linked.
ALTER TABLE provider_identities ADD COLUMN email text;
ALTER TABLE provider_identities ADD COLUMN last_used_at timestamptz(3);
CREATE UNIQUE INDEX provider_identities_id ON provider_identities (id);
CREATE UNIQUE INDEX provider_identities_issuer_subject ON provider_identities (issuer, subject);

-- States of flows that are over: none is completed twice.
CREATE TABLE spent_states (
  -- SHA-256, hex.
  hash text PRIMARY KEY,
  spent_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX spent_states_age ON spent_states (spent_at);
