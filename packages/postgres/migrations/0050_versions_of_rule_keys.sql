-- Which release computed `unique_hash`: what is left behind by an older one is computed anew when a service starts. An older
-- service that runs meanwhile does not name the column, so its rows are among them.
ALTER TABLE rules ADD COLUMN key_version smallint NOT NULL DEFAULT 0;
CREATE INDEX rules_old_keys ON rules (zone_id, kind, id) WHERE key_version < 1;
