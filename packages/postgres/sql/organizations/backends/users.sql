-- Ids are unique across both kinds of backends. Load balancers belong to no zone, so a filter by hosts omits them.
SELECT kind, name, zone_id AS "zone", rule_id AS "rule", organization_id AS "organization", load_balancer_id AS "loadBalancer"
FROM (
  SELECT 'zone' AS kind, z.name, z.name_key, z.id AS item_id, z.id AS zone_id, NULL::uuid AS rule_id,
    NULL::int AS organization_id, NULL::uuid AS load_balancer_id
  FROM zone_settings AS s JOIN zones AS z ON z.id = s.zone_id
  WHERE s.backend_id = ANY (${backends}::uuid[])
    AND (${hosts}::text[] IS NULL OR z.name_key = ANY (${hosts}::text[]) OR z.hostnames && ${hostNames}::text[])
  UNION ALL
  SELECT 'configurationRule', r.content ->> 'name', r.name_key, r.id, r.zone_id, r.id, NULL, NULL
  FROM rules AS r JOIN zones AS z ON z.id = r.zone_id
  WHERE r.backend_id = ANY (${backends}::uuid[])
    AND (${hosts}::text[] IS NULL OR z.name_key = ANY (${hosts}::text[]) OR z.hostnames && ${hostNames}::text[])
  UNION ALL
  SELECT 'loadBalancer', b.name, b.name_key, b.id, NULL, NULL, b.organization_id, b.id
  FROM load_balancer_origins AS o JOIN load_balancers AS b ON b.id = o.load_balancer_id
  WHERE o.origin_server_id = ANY (${backends}::uuid[]) AND ${hosts}::text[] IS NULL
) AS users
ORDER BY array_position(ARRAY['zone', 'configurationRule', 'loadBalancer'], kind), name_key, item_id
LIMIT ${limit}
