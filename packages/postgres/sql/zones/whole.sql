-- A zone with everything inside it, and what one user is in its organization: one statement, so all of one moment. The row
-- without a kind is the zone; each of the others is one of its rules, in no particular order. `content` is the text of what
-- a client wrote: settings, or a rule. Nothing inside the zone is read if this is the state that is known already.
WITH head AS MATERIALIZED (
  SELECT z.id, z.organization_id, z.name, z.tag, z.ban_token, z.created_by, z.created_at, z.updated_at, z.revision,
    z.revision || '.' || z.xmin::text AS state, z.revision || '.' || z.xmin::text = ${known}::text AS is_known
  FROM zones AS z WHERE z.id = ${id}
)
SELECT /*part zones/columns*/, NULL AS kind, NULL::float8 AS rank, z.state,
  CASE WHEN NOT z.is_known THEN (SELECT settings::text FROM zone_settings WHERE zone_id = z.id) END AS "content",
  coalesce(h.replay_bytes, 0) AS "replayBytes", m.role, o.revision AS "organizationRevision",
  o.enforce_two_factor AND f.state IS DISTINCT FROM 'enabled' AS "needsTwoFactor",
  CASE WHEN NOT z.is_known THEN (
    SELECT coalesce(json_object_agg(l.kind, l.revision), '{}') FROM rule_lists AS l WHERE l.zone_id = z.id
  ) END AS "listRevisions",
  CASE WHEN NOT z.is_known THEN (
    SELECT coalesce(json_agg(json_build_object('id', b.id, 'username', b.username, 'comment', b.comment,
      'createdAt', b.created_at, 'updatedAt', b.updated_at, 'revision', b.revision) ORDER BY b.id), '[]')
    FROM basic_auth_users AS b WHERE b.zone_id = z.id
  ) END AS "users"
FROM head AS z JOIN organizations AS o ON o.id = z.organization_id
  LEFT JOIN memberships AS m ON m.organization_id = o.id AND m.user_id = ${user}
  LEFT JOIN two_factor AS f ON f.user_id = m.user_id
  LEFT JOIN zone_revisions AS h ON h.zone_id = z.id AND h.number = z.revision
UNION ALL
SELECT r.id, NULL, NULL, NULL, NULL, NULL, r.created_at, r.updated_at, r.revision, r.kind, r.rank, NULL, r.content::text,
  NULL, NULL, NULL, NULL, NULL, NULL
FROM rules AS r
WHERE r.zone_id = ${id} AND (SELECT NOT is_known FROM head)
