WITH head AS (
  UPDATE zones SET revision = revision + 1 WHERE id = $1 RETURNING id, revision, organization_id
), list AS (
  INSERT INTO rule_lists AS l (zone_id, kind) SELECT id, 'configurationRule' FROM head
  ON CONFLICT (zone_id, kind) DO UPDATE SET revision = l.revision + 1
), history AS (
  INSERT INTO zone_revisions (zone_id, number, action, objects, author, patch, inverse, replay_bytes)
  SELECT id, revision, 'configurationRule.changed', json_build_object('rule', $2::uuid), $3,
    json_build_object('configurationRules', json_build_object('items', json_build_object($2::uuid, json_build_object('description', $4::text)))),
    json_build_object('configurationRules', json_build_object('items', json_build_object($2::uuid, json_build_object('description', $4::text)))), 200
  FROM head
), audit AS (
  INSERT INTO audit_log (action, actor_id, organization_id, objects)
  SELECT 'configurationRule.changed', $3, organization_id, jsonb_build_object('rule', $2::uuid, 'zone', id) FROM head
)
UPDATE rules SET content = (content::jsonb || jsonb_build_object('description', $4::text))::json,
  updated_at = clock_timestamp(), revision = revision + 1
WHERE id = $2 AND zone_id = $1
RETURNING id, content::text AS "content", created_at AS "createdAt", updated_at AS "updatedAt"
