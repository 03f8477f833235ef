WITH head AS (
  UPDATE zones SET revision = revision + 1 WHERE id = $1 RETURNING id, revision, organization_id
), list AS (
  INSERT INTO rule_lists AS l (zone_id, kind) SELECT id, 'configurationRule' FROM head
  ON CONFLICT (zone_id, kind) DO UPDATE SET revision = l.revision + 1
), history AS (
  INSERT INTO zone_revisions (zone_id, number, action, objects, author, patch, inverse, replay_bytes)
  SELECT id, revision, 'configurationRule.moved', json_build_object('rule', $2::uuid), $3,
    json_build_object('configurationRules', json_build_object('order', json_build_object($2::uuid, $5::int))),
    json_build_object('configurationRules', json_build_object('order', json_build_object($2::uuid, $5::int))), 200
  FROM head
), audit AS (
  INSERT INTO audit_log (action, actor_id, organization_id, objects)
  SELECT 'configurationRule.moved', $3, organization_id, jsonb_build_object('rule', $2::uuid, 'zone', id) FROM head
)
UPDATE bench_positions
SET position = CASE WHEN rule_id = $2 THEN $5::int ELSE position + CASE WHEN $4::int < $5::int THEN -1 ELSE 1 END END
WHERE zone_id = $1 AND position BETWEEN least($4::int, $5::int) AND greatest($4::int, $5::int)
RETURNING rule_id
