WITH added AS (
  INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token, created_by)
  VALUES (${id}, ${organizationId}, ${name}, ${nameKey}, ${tag}, ${banToken}, ${createdBy})
  ON CONFLICT ON CONSTRAINT zones_name_unique DO NOTHING
  RETURNING id, created_at, updated_at, revision
), settings AS (
  INSERT INTO zone_settings (zone_id, settings) SELECT id, ${settings}::json FROM added
)
SELECT created_at AS "createdAt", updated_at AS "updatedAt", revision FROM added
