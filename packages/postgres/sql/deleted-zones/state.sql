-- What a revived zone and its rules are, like the rows of a zone (see zones/whole.sql); without texts and rules if they are
-- larger than asked for. The ban token is a placeholder.
WITH z AS MATERIALIZED (
  SELECT * FROM deleted_zones WHERE id = ${id} AND organization_id = ${organization} AND expires_at > now()
)
SELECT id, organization_id AS "organizationId", name, tag, id::text AS "banToken", created_by AS "createdBy",
  created_at AS "createdAt", updated_at AS "updatedAt", revision, hostnames, NULL AS kind, NULL::float8 AS rank, bytes::float8 AS bytes,
  CASE WHEN bytes <= ${maxBytes} THEN settings::text END AS "content",
  (
    SELECT coalesce(json_object_agg(l.kind, l.revision), '{}') FROM json_to_recordset(rule_lists) AS l (kind text, revision integer)
  ) AS "listRevisions",
  (
    SELECT coalesce(json_agg(json_build_object('id', u.id, 'username', u.username, 'comment', u.comment,
      'createdAt', u.created_at, 'updatedAt', u.updated_at, 'revision', u.revision) ORDER BY u.id), '[]')
    FROM json_to_recordset(users) AS u (id uuid, username text, comment text, revision integer, created_at timestamptz,
      updated_at timestamptz)
  ) AS "users"
FROM z
UNION ALL
SELECT r.id, NULL, NULL, NULL, NULL, NULL, r.created_at, r.updated_at, r.revision, NULL, r.kind, r.rank, 0, r.content::text,
  NULL, NULL
FROM (SELECT rules FROM z WHERE bytes <= ${maxBytes}) AS z, json_to_recordset(z.rules) AS r (id uuid, kind text, content json,
  rank double precision, revision integer, created_at timestamptz, updated_at timestamptz)
