-- History of origin servers and load balancers. No foreign key, because history outlives deleted backends.
CREATE TABLE backend_revisions (
  backend_id uuid NOT NULL,
  -- The backend's own number: from 1, without gaps.
  number integer NOT NULL,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('origin_server', 'load_balancer')),
  action text NOT NULL,
  author uuid REFERENCES users ON DELETE SET NULL,
  -- The writable members of the backend; null after deletion.
  state json,
  -- Time of the insert, while the backend is locked: a change of a zone that uses it is either before or after.
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (backend_id, number)
);
CREATE INDEX backend_revisions_organization ON backend_revisions (organization_id);
CREATE INDEX backend_revisions_author ON backend_revisions (author);
CREATE INDEX backend_revisions_deletions ON backend_revisions (backend_id) WHERE state IS NULL;

-- Ids of zones. History refers to them instead of zones, so that it can outlive those.
CREATE TABLE zone_identities (
  id uuid PRIMARY KEY,
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE
);
CREATE INDEX zone_identities_organization ON zone_identities (organization_id);
INSERT INTO zone_identities (id, organization_id) SELECT id, organization_id FROM zones;

CREATE FUNCTION identify_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_identities (id, organization_id) VALUES (NEW.id, NEW.organization_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER zones_identified AFTER INSERT ON zones FOR EACH ROW EXECUTE FUNCTION identify_zone();

ALTER TABLE zone_revisions
  DROP CONSTRAINT zone_revisions_zone_id_fkey,
  ADD FOREIGN KEY (zone_id) REFERENCES zone_identities ON DELETE CASCADE;

-- Backends named by zone revisions, with the origin servers of load balancers: their history is kept after deletion.
CREATE TABLE zone_backends (
  backend_id uuid NOT NULL,
  zone_id uuid NOT NULL REFERENCES zone_identities ON DELETE CASCADE,
  PRIMARY KEY (backend_id, zone_id)
);
CREATE INDEX zone_backends_zone ON zone_backends (zone_id);

-- The history of existing backends begins with their current state.
INSERT INTO backend_revisions (backend_id, number, organization_id, kind, action, state, created_at)
SELECT id, 1, organization_id, 'origin_server', 'originServer.created', json_strip_nulls(json_build_object(
  'name', name, 'protocol', protocol, 'address', address, 'port', port, 'requestHostname', request_hostname)), created_at
FROM origin_servers;
INSERT INTO backend_revisions (backend_id, number, organization_id, kind, action, state, created_at)
SELECT id, 1, organization_id, 'load_balancer', 'loadBalancer.created', json_strip_nulls(json_build_object(
  'name', name, 'method', method, 'requestHostname', request_hostname, 'origins', (
    SELECT json_agg(json_build_object('originServer', o.origin_server_id, 'weight', o.weight, 'enabled', o.enabled)
      ORDER BY o.position)
    FROM load_balancer_origins AS o WHERE o.load_balancer_id = b.id))), created_at
FROM load_balancers AS b;

-- Searches the history of zones for ids of backends, which are unique.
INSERT INTO zone_backends (backend_id, zone_id)
SELECT DISTINCT b.backend_id, r.zone_id
FROM zone_revisions AS r
  CROSS JOIN LATERAL regexp_matches(r.patch::text || coalesce(r.snapshot::text, ''),
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') AS id
  JOIN backend_revisions AS b ON b.backend_id = id[1]::uuid;
INSERT INTO zone_backends (backend_id, zone_id)
SELECT o.origin_server_id, n.zone_id FROM zone_backends AS n JOIN load_balancer_origins AS o ON o.load_balancer_id = n.backend_id
ON CONFLICT DO NOTHING;

-- Ordered with changes of backends, which may be less than a millisecond apart.
ALTER TABLE zone_revisions ALTER COLUMN created_at TYPE timestamptz;
