WITH named AS (
  SELECT (SELECT min(id) FROM organizations WHERE name LIKE 'Foreign%') + n % 380 AS organization, gen_random_uuid() AS id
  FROM generate_series(1, $1) AS n
), added AS (
  INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash)
  SELECT id, organization, 'Zone-' || id, 'zone-' || id, 'prod', 'ban_' || replace(id::text, '-', '') || '0000' FROM named
  RETURNING id
)
INSERT INTO zone_settings (zone_id, settings) SELECT id, '{}' FROM added
