-- Rendered from templates/zones/zones/whole.sql.eta
-- A zone with its nested rows and a role, consistent because it is one statement. The row without a kind is the zone, or
-- shows that there is none; the others are its rules, unordered. `content` is JSON text written by the client: settings
-- or a rule. Nested rows are omitted if the given version is current, if the reader is not a member, or if their texts are
-- larger than asked for.
WITH caller AS (SELECT ${userId}::uuid AS user_id), head AS MATERIALIZED (
  SELECT *, coalesce(bytes > ${maxBytes}, true) AS is_omitted
  FROM (
    SELECT z.id, z.organization_id, z.name, z.tag, z.created_by, z.created_at, z.updated_at, z.revision, z.hostnames,
      z.sealed_ban_token, z.revision || '.' || z.xmin::text AS version,
      CASE WHEN z.revision || '.' || z.xmin::text IS DISTINCT FROM ${known}::text
        AND (${userId}::uuid IS NULL
          OR EXISTS (SELECT FROM memberships WHERE organization_id = z.organization_id AND user_id = ${userId}::uuid))
      THEN (
        SELECT s.settings_bytes + (SELECT coalesce(sum(content_bytes), 0) FROM rules WHERE zone_id = z.id)
        FROM zone_settings AS s WHERE s.zone_id = z.id
      )::float8 END AS bytes
    FROM zones AS z WHERE z.id = ${zone}
  ) AS measured
)
SELECT z.id, z.organization_id AS "organizationId", z.name, z.tag, z.sealed_ban_token AS "banToken", z.created_by AS "createdBy",
  z.created_at AS "createdAt", z.updated_at AS "updatedAt", z.revision, z.hostnames, NULL AS kind, NULL::float8 AS rank,
  z.bytes, CASE WHEN NOT z.is_omitted THEN (SELECT settings::text FROM zone_settings WHERE zone_id = z.id) END AS "content",
  CASE WHEN NOT z.is_omitted THEN (
    SELECT coalesce(json_object_agg(l.kind, l.revision), '{}') FROM rule_lists AS l WHERE l.zone_id = z.id
  ) END AS "listRevisions",
  CASE WHEN NOT z.is_omitted THEN (
    SELECT coalesce(json_agg(json_build_object('id', b.id, 'username', b.username, 'comment', b.comment,
      'createdAt', b.created_at, 'updatedAt', b.updated_at, 'revision', b.revision) ORDER BY b.id), '[]')
    FROM basic_auth_users AS b WHERE b.zone_id = z.id
  ) END AS "users",
  z.version, coalesce(h.replay_bytes, 0) AS "replayBytes", m.role, o.revision AS "organizationRevision", o.limits::text AS "ownLimits",
  o.enforce_two_factor AND NOT EXISTS (SELECT FROM second_factors WHERE user_id = m.user_id) AS "needsTwoFactor",
  o.required_provider AS "requiredProvider"
FROM caller AS c LEFT JOIN head AS z ON true
  LEFT JOIN organizations AS o ON o.id = z.organization_id
  LEFT JOIN memberships AS m ON m.organization_id = o.id AND m.user_id = c.user_id
  LEFT JOIN zone_revisions AS h ON h.zone_id = z.id AND h.number = z.revision
UNION ALL
SELECT r.id, NULL, NULL, NULL, NULL, NULL, r.created_at, r.updated_at, r.revision, NULL, r.kind, r.rank,
  0, r.content::text, NULL, NULL,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM caller AS c JOIN head AS z ON NOT z.is_omitted JOIN rules AS r ON r.zone_id = z.id
