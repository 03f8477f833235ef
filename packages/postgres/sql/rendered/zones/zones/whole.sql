-- Rendered from templates/zones/zones/whole.sql.eta
-- A zone with its nested rows and a role, consistent because it is one statement. The row without a kind is the zone, or
-- shows that there is none; the others are its rules, unordered. `content` is JSON text written by the client: settings
-- or a rule. Nested rows are omitted if the given version is current, if the reader is not a member, or if their texts are
-- larger than asked for.
WITH credential AS (
  SELECT user_id, id, NULL::integer[] AS scope, false AS read_only, NULL::uuid[] AS zones, NULL::json AS limits,
    false AS unnoted, provider, true AS is_session, created_at AS began_at,
    confirmed_at > now() - make_interval(secs => ${confirmationSeconds}) AS confirmed
  FROM sessions
  WHERE id = ${sessionId} AND user_id = ${userId} AND ended_at IS NULL AND expires_at > now()
  UNION ALL
  SELECT user_id, id, nullif(organizations, '{}'), read_only, zones,
    json_build_object('permissions', permissions, 'zones', zones, 'networks', networks),
    last_used_at IS NULL OR last_used_at <= now() - make_interval(secs => ${usePrecisionSeconds}), NULL, false, NULL, false
  FROM api_tokens
  WHERE hash = ${hash} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
), caller AS MATERIALIZED (
  SELECT c.*, f.state IS DISTINCT FROM 'enabled' AND NOT p.any_passkey AS lacks_two_factor,
    u.password_hash IS NOT NULL AS by_password,
    f.state IS NOT DISTINCT FROM 'enabled' AND (f.enrolled_by_confirmed OR f.created_at < c.began_at) AS by_code,
    p.any_passkey AS by_passkey
  FROM credential AS c JOIN users AS u ON u.id = c.user_id LEFT JOIN two_factor AS f ON f.user_id = u.id
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM passkeys WHERE user_id = u.id) AS any_passkey) AS p
  WHERE u.active AND u.email_verified_at IS NOT NULL
), granted AS MATERIALIZED (
  SELECT m.organization_id AS organization, m.role, o.enforce_two_factor AND c.lacks_two_factor AS needs_two_factor,
    o.required_provider, c.is_session AND c.provider IS DISTINCT FROM o.required_provider
      AND o.required_provider IS NOT NULL AS needs_provider
  FROM caller AS c
    JOIN memberships AS m ON m.user_id = c.user_id AND (c.scope IS NULL OR m.organization_id = ANY (c.scope))
    JOIN organizations AS o ON o.id = m.organization_id
), head AS MATERIALIZED (
  SELECT *, coalesce(bytes > ${maxBytes}, true) AS is_omitted
  FROM (
    SELECT z.id, z.organization_id, z.name, z.tag, z.created_by, z.created_at, z.updated_at, z.revision, z.hostnames,
      z.sealed_ban_token, z.revision || '.' || z.xmin::text AS version,
      CASE WHEN z.revision || '.' || z.xmin::text IS DISTINCT FROM ${known}::text
        AND EXISTS (SELECT FROM granted WHERE organization = z.organization_id)
      THEN (
        SELECT s.settings_bytes + (SELECT coalesce(sum(content_bytes), 0) FROM rules WHERE zone_id = z.id)
        FROM zone_settings AS s WHERE s.zone_id = z.id
      )::float8 END AS bytes
    FROM zones AS z WHERE z.id = ${zone}
  ) AS measured
)
SELECT c.user_id AS "userId", c.id AS "credentialId", c.read_only AS "readOnly", c.scope IS NOT NULL AS "scoped", c.unnoted,
  c.limits AS "tokenLimits",
  json_build_object(
    'provider', c.provider, 'confirmed', c.confirmed, 'byPassword', c.by_password, 'byCode', c.by_code,
    'byPasskey', c.by_passkey
  ) AS "session",
  (SELECT coalesce(json_agg(json_build_object(
    'organization', organization, 'role', role, 'needsTwoFactor', needs_two_factor,
    'requiredProvider', required_provider
  ) ORDER BY organization), '[]') FROM granted) AS "memberships",
  z.id, z.organization_id AS "organizationId", z.name, z.tag, z.sealed_ban_token AS "banToken", z.created_by AS "createdBy",
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
  m.needs_two_factor AS "needsTwoFactor",
  o.required_provider AS "requiredProvider"
FROM caller AS c LEFT JOIN head AS z ON true
  LEFT JOIN organizations AS o ON o.id = z.organization_id
  LEFT JOIN granted AS m ON m.organization = o.id
  LEFT JOIN zone_revisions AS h ON h.zone_id = z.id AND h.number = z.revision
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
  r.id, NULL, NULL, NULL, NULL, NULL, r.created_at, r.updated_at, r.revision, NULL, r.kind, r.rank,
  0, r.content::text, NULL, NULL,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM caller AS c JOIN head AS z ON NOT z.is_omitted JOIN rules AS r ON r.zone_id = z.id
