-- Indexes take their time on a busy machine.
SET statement_timeout = 0;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
-- What the floor reads and writes: rendered members of zones, rules with integer positions, and indexes that suit its lists best.
CREATE TABLE bench_answers (zone_id uuid, member text, place int, body text, PRIMARY KEY (zone_id, member, place));
CREATE TABLE bench_rules (
  id uuid PRIMARY KEY, zone_id uuid NOT NULL, position integer NOT NULL, content json NOT NULL,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  UNIQUE (zone_id, position) DEFERRABLE INITIALLY DEFERRED
);
-- In order of all zones, and a trigram search: best for a user who sees every fifth zone.
CREATE INDEX bench_names ON zones (name_key, id) INCLUDE (organization_id);
CREATE TABLE bench_texts AS SELECT id, organization_id, name_key, search_key FROM zones;
CREATE INDEX ON bench_texts USING gin (search_key gin_trgm_ops);
