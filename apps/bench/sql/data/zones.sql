WITH added AS (
  INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash, created_by, created_at, updated_at)
  SELECT gen_random_uuid(), o.id, 'Zone-' || key, 'zone-' || key, (ARRAY['prod', 'stage', 'dev'])[1 + n % 3],
    'ban_' || key || '0000', $1, now() - random() * interval '1 year', now() - random() * interval '1 day'
  FROM (
    SELECT id, n, md5(id || ' ' || n) AS key FROM organizations, generate_series($5 + 1, $6) AS n
    WHERE id = ANY ($2::int[]) OR name LIKE 'Foreign%' AND n <= $3
  ) AS o
  RETURNING id
)
INSERT INTO zone_settings (zone_id, settings) SELECT id, $4 FROM added
