-- The page is found on the narrow table; only its own rows are joined with their settings.
WITH page AS (
  SELECT id, organization_id, name, name_key, tag, ban_token, created_by, created_at, updated_at, revision
  FROM zones
  WHERE organization_id = ANY (${organizations}) AND (cardinality(${tags}::text[]) = 0 OR tag = ANY (${tags}))
    AND /*search*/
  ORDER BY /*order*/
  LIMIT ${limit} OFFSET ${offset}
)
SELECT id, organization_id AS "organizationId", name, tag, ban_token AS "banToken", created_by AS "createdBy",
  created_at AS "createdAt", updated_at AS "updatedAt", revision, settings::text AS "settings"
FROM page JOIN zone_settings ON zone_id = id
ORDER BY /*order*/
