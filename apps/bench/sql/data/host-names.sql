-- Gives every zone a host name.
WITH named AS (
  UPDATE zones SET hostnames = ARRAY['z' || replace(id::text, '-', '') || '.bench.example'] WHERE hostnames = '{}'
  RETURNING id, hostnames[1] AS name
)
INSERT INTO host_names (name, zone_id) SELECT name, id FROM named
