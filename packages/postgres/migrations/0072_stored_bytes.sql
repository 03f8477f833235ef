-- Contract: the previous version writes neither of the two columns that the constraints are on.
-- What an organization stores, in bytes of text: settings and rules of its zones, deleted ones included, their histories,
-- drafts and promotions. Each revision, draft and promotion counts 200 bytes more, which its other columns take
-- (`bytesPerRow`).
ALTER TABLE zone_revisions
  -- A restoration is stored as a reference: the settings and rules of one revision, the rest of another one, and a merge
  -- patch from there to its state, if that differs.
  ADD COLUMN contents_from integer,
  ADD COLUMN rest_from integer,
  ADD COLUMN adjustment json,
  -- Neither a revision with a snapshot nor a reference has one. `inverse` is empty, unless the revision before is gone.
  ALTER COLUMN patch DROP NOT NULL,
  ADD CONSTRAINT zone_revisions_contents FOREIGN KEY (zone_id, contents_from) REFERENCES zone_revisions DEFERRABLE,
  ADD CONSTRAINT zone_revisions_rest FOREIGN KEY (zone_id, rest_from) REFERENCES zone_revisions DEFERRABLE;
CREATE INDEX zone_revisions_contents ON zone_revisions (zone_id, contents_from) WHERE contents_from IS NOT NULL;
CREATE INDEX zone_revisions_rest ON zone_revisions (zone_id, rest_from) WHERE rest_from IS NOT NULL;
ALTER TABLE zone_revisions ADD COLUMN bytes integer GENERATED ALWAYS AS (
  200 + coalesce(octet_length(patch::text), 0) + coalesce(octet_length(nullif(inverse::text, '{}')), 0) + coalesce(octet_length(snapshot::text), 0)
    + coalesce(octet_length(adjustment::text), 0)
) STORED;
ALTER TABLE change_sets ADD COLUMN bytes integer GENERATED ALWAYS AS (
  200 + octet_length(title) + octet_length(description) + coalesce(octet_length(patch::text), 0)
    + coalesce(octet_length(operations::text), 0) + coalesce(octet_length(disputed::text), 0)
) STORED;
ALTER TABLE promotions ADD COLUMN bytes integer GENERATED ALWAYS AS (
  200 + octet_length(request) + coalesce(octet_length(report::text), 0)
) STORED;

-- A deleted zone counts as much as it did before.
CREATE FUNCTION bytes_of_contents(settings json, rules json) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT octet_length(settings::text) + coalesce(sum(octet_length((rule -> 'content')::text)), 0)::bigint
  FROM json_array_elements(rules) AS rule
$$;
ALTER TABLE deleted_zones
  ADD COLUMN bytes bigint GENERATED ALWAYS AS (bytes_of_contents(settings, rules)) STORED;

-- The tallies of an organization add up to its bytes; a single one means nothing. A change adds to one that no other
-- transaction has locked, or adds one: it never waits.
CREATE TABLE stored_bytes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  bytes bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX stored_bytes_organization ON stored_bytes (organization_id);

-- Does nothing for an organization that is being deleted.
CREATE FUNCTION add_stored_bytes(organization integer, more bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stored_bytes SET bytes = bytes + more WHERE id = (
    SELECT id FROM stored_bytes WHERE organization_id = organization LIMIT 1 FOR UPDATE SKIP LOCKED
  );
  IF NOT FOUND THEN
    INSERT INTO stored_bytes (organization_id, bytes) SELECT o.id, more FROM organizations AS o WHERE o.id = organization;
  END IF;
END $$;

-- The triggers of each table, with the organization of its rows and their bytes.
DO $$
DECLARE
  counted record;
  event record;
  body text;
BEGIN
  FOR counted IN SELECT * FROM (VALUES
    ('zone_settings', 'z.organization_id', 'JOIN zone_identities AS z ON z.id = r.zone_id', 'settings_bytes'),
    ('rules', 'z.organization_id', 'JOIN zone_identities AS z ON z.id = r.zone_id', 'content_bytes'),
    ('zone_revisions', 'z.organization_id', 'JOIN zone_identities AS z ON z.id = r.zone_id', 'bytes'),
    ('change_sets', 'z.organization_id', 'JOIN zone_identities AS z ON z.id = r.zone_id', 'bytes'),
    ('promotions', 'z.organization_id', 'JOIN zone_identities AS z ON z.id = r.zone_id', 'bytes'),
    ('deleted_zones', 'r.organization_id', '', 'bytes')
  ) AS t (name, organization, owner, bytes) LOOP
    FOR event IN SELECT * FROM (VALUES
      ('INSERT', 'NEW TABLE AS added', array['added'], array['']),
      ('UPDATE', 'NEW TABLE AS added OLD TABLE AS removed', array['added', 'removed'], array['', '-']),
      ('DELETE', 'OLD TABLE AS removed', array['removed'], array['-'])
    ) AS e (name, tables, rows, signs) LOOP
      SELECT string_agg(format(
        'SELECT %s AS organization, %sr.%I::bigint AS bytes FROM %I AS r %s',
        counted.organization, sign, counted.bytes, rows, counted.owner
      ), ' UNION ALL ') INTO body FROM unnest(event.rows, event.signs) AS part (rows, sign);
      EXECUTE format($function$
        CREATE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
          PERFORM add_stored_bytes(organization, sum(bytes)::bigint) FROM (%s) AS change
          WHERE organization IS NOT NULL GROUP BY organization HAVING sum(bytes) <> 0;
          RETURN NULL;
        END $body$
      $function$, 'count_bytes_of_' || counted.name || '_' || lower(event.name), body);
      EXECUTE format(
        'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %I()',
        'bytes_' || lower(event.name), event.name, counted.name, event.tables,
        'count_bytes_of_' || counted.name || '_' || lower(event.name)
      );
    END LOOP;
  END LOOP;
END $$;

-- A zone that is forgotten no longer counts, although its rows are deleted later, in batches.
CREATE FUNCTION forget_bytes_of_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_stored_bytes(OLD.organization_id, -sum(bytes)::bigint) FROM (
    SELECT bytes::bigint FROM zone_revisions WHERE zone_id = OLD.id
    UNION ALL SELECT bytes FROM change_sets WHERE zone_id = OLD.id
    UNION ALL SELECT bytes FROM promotions WHERE zone_id = OLD.id
  ) AS rest HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER zone_identities_forgotten AFTER UPDATE OF organization_id ON zone_identities FOR EACH ROW
  WHEN (OLD.organization_id IS NOT NULL AND NEW.organization_id IS NULL) EXECUTE FUNCTION forget_bytes_of_zone();

INSERT INTO stored_bytes (organization_id, bytes)
SELECT organization_id, sum(bytes) FROM (
  SELECT z.organization_id, s.settings_bytes::bigint AS bytes FROM zone_settings AS s JOIN zone_identities AS z ON z.id = s.zone_id
  UNION ALL SELECT z.organization_id, r.content_bytes FROM rules AS r JOIN zone_identities AS z ON z.id = r.zone_id
  UNION ALL SELECT z.organization_id, v.bytes FROM zone_revisions AS v JOIN zone_identities AS z ON z.id = v.zone_id
  UNION ALL SELECT z.organization_id, c.bytes FROM change_sets AS c JOIN zone_identities AS z ON z.id = c.zone_id
  UNION ALL SELECT z.organization_id, p.bytes FROM promotions AS p JOIN zone_identities AS z ON z.id = p.zone_id
  UNION ALL SELECT organization_id, bytes FROM deleted_zones
) AS stored WHERE organization_id IS NOT NULL GROUP BY organization_id;
