-- Gives some of the zones without host names one each.
WITH named AS (
  UPDATE zones SET hostnames = ARRAY['z' || replace(id::text, '-', '') || '.bench.example']
  WHERE id IN (SELECT id FROM zones WHERE hostnames = '{}' LIMIT 500)
  RETURNING id, hostnames[1] AS name
)
INSERT INTO host_names (name, zone_id) SELECT name, id FROM named RETURNING name
