-- Gives each zone of an organization a host name.
WITH named AS (
  UPDATE zones SET hostnames = ARRAY['z' || replace(id::text, '-', '') || '.bench.example']
  WHERE organization_id = $1
  RETURNING id, hostnames[1] AS name
)
INSERT INTO host_names (name, zone_id) SELECT name, id FROM named
