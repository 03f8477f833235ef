-- The version of the code that computed `unique_hash`: outdated values are recomputed when a service starts. A
-- concurrent older service does not write this column, so its rows count as outdated.
ALTER TABLE rules ADD COLUMN key_version smallint NOT NULL DEFAULT 0;
CREATE INDEX rules_old_keys ON rules (zone_id, kind, id) WHERE key_version < 1;
