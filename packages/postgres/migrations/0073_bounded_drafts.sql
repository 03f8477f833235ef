-- Makes work on drafts independent of how many there are: their sizes are stored, and so is what their latest merge with
-- the zone found out. That counts only while the set is at `merge_set_revision`: the previous version leaves it behind.
ALTER TABLE change_sets
  ADD COLUMN text_bytes integer GENERATED ALWAYS AS (
    octet_length(patch::text) + coalesce(octet_length(operations::text), 0) + coalesce(octet_length(disputed::text), 0)
  ) STORED,
  ADD COLUMN merge_set_revision integer,
  ADD COLUMN merge_zone_revision integer,
  ADD COLUMN merge_conflicted boolean,
  ADD COLUMN merge_characters integer;

-- Rules that the zone had, by their latest removal: another list cannot have their ids as long as the zone's history
-- goes back that far.
CREATE TABLE retired_rules (
  zone_id uuid NOT NULL REFERENCES zone_identities ON DELETE CASCADE,
  id uuid NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- The revision of the zone that removed the rule.
  revision integer NOT NULL,
  PRIMARY KEY (zone_id, id, kind)
);
CREATE INDEX retired_rules_revision ON retired_rules (zone_id, revision);

-- A trigger, because the previous version removes rules, too. A deleted zone takes its rules with it: they are not retired.
CREATE FUNCTION retire_rules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO retired_rules (zone_id, id, kind, revision)
  SELECT removed.zone_id, removed.id, removed.kind, z.revision FROM removed JOIN zones AS z ON z.id = removed.zone_id
  ON CONFLICT (zone_id, id, kind) DO UPDATE SET revision = excluded.revision;
  RETURN NULL;
END $$;
CREATE TRIGGER rules_retired AFTER DELETE ON rules REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION retire_rules();

INSERT INTO retired_rules (zone_id, id, kind, revision)
SELECT v.zone_id, rule.key::uuid, list.kind, max(v.number)
FROM zone_revisions AS v
  CROSS JOIN (VALUES ('configurationRules', 'configurationRule'), ('rewriteRules', 'rewriteRule'),
    ('accessRules', 'accessRule'), ('securityScenarios', 'securityScenario')) AS list (member, kind)
  CROSS JOIN LATERAL (SELECT v.patch -> list.member -> 'items' AS items) AS written
  CROSS JOIN json_each(CASE WHEN json_typeof(items) = 'object' THEN items END) AS rule
WHERE json_typeof(rule.value) = 'null'
GROUP BY v.zone_id, rule.key, list.kind;
