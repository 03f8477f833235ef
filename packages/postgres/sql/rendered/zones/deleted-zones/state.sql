-- Rendered from templates/zones/deleted-zones/state.sql.eta
-- What a revived zone and its rules are, like the rows of a zone (see zones/whole.sql); without texts and rules if they are
-- larger than asked for. A deleted zone has no ban token.
WITH head AS MATERIALIZED (
  SELECT *, bytes > ${maxBytes} AS is_omitted
  FROM (
    SELECT z.id, z.organization_id, z.name, z.tag, z.created_by, z.created_at, z.updated_at, z.revision, z.hostnames,
      NULL AS sealed_ban_token, (
        SELECT s.settings_bytes + (SELECT coalesce(sum(content_bytes), 0) FROM rules WHERE zone_id = z.id)
        FROM zone_settings AS s WHERE s.zone_id = z.id
      )::float8 AS bytes
    FROM zone_deletions AS z
    WHERE z.id = ${id} AND z.organization_id = ${organization} AND z.expires_at > now()
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
  ) END AS "users"
FROM head AS z
UNION ALL
SELECT r.id, NULL, NULL, NULL, NULL, NULL, r.created_at, r.updated_at, r.revision, NULL, r.kind, r.rank,
  0, r.content::text, NULL, NULL
FROM head AS z JOIN rules AS r ON r.zone_id = z.id WHERE NOT z.is_omitted
