WITH removed AS (
  DELETE FROM zones WHERE id IN (
    SELECT id FROM zones WHERE organization_id IN (SELECT id FROM organizations WHERE name LIKE 'Foreign%') LIMIT $1
  ) RETURNING id
)
DELETE FROM zone_identities WHERE id IN (SELECT id FROM removed)
