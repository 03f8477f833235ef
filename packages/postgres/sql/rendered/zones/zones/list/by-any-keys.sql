-- Rendered from templates/zones/zones/list/by-any-keys.sql.eta
-- A page of zones with some tags, or in any order: otherwise like `by-name`. The index of the first key reads each tag of
-- each organization as far as the page can reach by this key, and all zones that are equal by it.
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
), own AS MATERIALIZED (
  -- The caller's organizations; without a credential, the given ones. An API token may be limited to some zones.
  SELECT organization, c.zones FROM granted CROSS JOIN caller AS c
  WHERE NOT needs_two_factor AND NOT needs_provider AND (${organization}::integer IS NULL OR organization = ${organization})
  UNION ALL
  SELECT unnest(${organizations}::integer[]), ${zones}::uuid[]
), found AS (
  SELECT own.organization AS organization_id, z.* FROM own CROSS JOIN unnest(${tags}::text[]) AS tags (wanted) CROSS JOIN LATERAL (
    (
      SELECT id, name_key, tag, created_at, updated_at FROM zones
      WHERE organization_id = own.organization AND tag = wanted AND own.zones IS NULL AND ${index} = 'id'
      ORDER BY id
      FETCH FIRST ${reach} ROWS WITH TIES
    ) UNION ALL (
      SELECT id, name_key, tag, created_at, updated_at FROM zones
      WHERE organization_id = own.organization AND tag = wanted AND own.zones IS NULL AND ${index} = 'name asc'
      ORDER BY name_key
      FETCH FIRST ${reach} ROWS WITH TIES
    ) UNION ALL (
      SELECT id, name_key, tag, created_at, updated_at FROM zones
      WHERE organization_id = own.organization AND tag = wanted AND own.zones IS NULL AND ${index} = 'name desc'
      ORDER BY name_key DESC
      FETCH FIRST ${reach} ROWS WITH TIES
    ) UNION ALL (
      SELECT id, name_key, tag, created_at, updated_at FROM zones
      WHERE organization_id = own.organization AND tag = wanted AND own.zones IS NULL AND ${index} = 'createdAt asc'
      ORDER BY created_at
      FETCH FIRST ${reach} ROWS WITH TIES
    ) UNION ALL (
      SELECT id, name_key, tag, created_at, updated_at FROM zones
      WHERE organization_id = own.organization AND tag = wanted AND own.zones IS NULL AND ${index} = 'createdAt desc'
      ORDER BY created_at DESC
      FETCH FIRST ${reach} ROWS WITH TIES
    ) UNION ALL (
      SELECT id, name_key, tag, created_at, updated_at FROM zones
      WHERE organization_id = own.organization AND tag = wanted AND own.zones IS NULL AND ${index} = 'updatedAt asc'
      ORDER BY updated_at
      FETCH FIRST ${reach} ROWS WITH TIES
    ) UNION ALL (
      SELECT id, name_key, tag, created_at, updated_at FROM zones
      WHERE organization_id = own.organization AND tag = wanted AND own.zones IS NULL AND ${index} = 'updatedAt desc'
      ORDER BY updated_at DESC
      FETCH FIRST ${reach} ROWS WITH TIES
    ) UNION ALL (
      SELECT id, name_key, tag, created_at, updated_at FROM zones
      WHERE organization_id = own.organization AND tag = wanted AND id = ANY (own.zones)
    )
  ) AS z
), candidates AS (
  -- The limits of the credential, for whatever was found: the listed organizations, and the zones of a limited API token.
  SELECT found.* FROM found JOIN own ON own.organization = found.organization_id
    AND (own.zones IS NULL OR found.id = ANY (own.zones))
), page AS (
  SELECT id FROM candidates
  ORDER BY
    CASE ${firstKey} WHEN 'name asc' THEN name_key WHEN 'tag asc' THEN tag END,
    CASE ${firstKey} WHEN 'name desc' THEN name_key WHEN 'tag desc' THEN tag END DESC,
    CASE ${firstKey} WHEN 'createdAt asc' THEN created_at WHEN 'updatedAt asc' THEN updated_at END,
    CASE ${firstKey} WHEN 'createdAt desc' THEN created_at WHEN 'updatedAt desc' THEN updated_at END DESC,
    CASE ${secondKey} WHEN 'name asc' THEN name_key WHEN 'tag asc' THEN tag END,
    CASE ${secondKey} WHEN 'name desc' THEN name_key WHEN 'tag desc' THEN tag END DESC,
    CASE ${secondKey} WHEN 'createdAt asc' THEN created_at WHEN 'updatedAt asc' THEN updated_at END,
    CASE ${secondKey} WHEN 'createdAt desc' THEN created_at WHEN 'updatedAt desc' THEN updated_at END DESC,
    CASE ${thirdKey} WHEN 'name asc' THEN name_key WHEN 'tag asc' THEN tag END,
    CASE ${thirdKey} WHEN 'name desc' THEN name_key WHEN 'tag desc' THEN tag END DESC,
    CASE ${thirdKey} WHEN 'createdAt asc' THEN created_at WHEN 'updatedAt asc' THEN updated_at END,
    CASE ${thirdKey} WHEN 'createdAt desc' THEN created_at WHEN 'updatedAt desc' THEN updated_at END DESC,
    CASE ${fourthKey} WHEN 'name asc' THEN name_key WHEN 'tag asc' THEN tag END,
    CASE ${fourthKey} WHEN 'name desc' THEN name_key WHEN 'tag desc' THEN tag END DESC,
    CASE ${fourthKey} WHEN 'createdAt asc' THEN created_at WHEN 'updatedAt asc' THEN updated_at END,
    CASE ${fourthKey} WHEN 'createdAt desc' THEN created_at WHEN 'updatedAt desc' THEN updated_at END DESC,
    id
  LIMIT ${limit} OFFSET ${offset}
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
  (
    SELECT coalesce(sum(CASE
      WHEN own.zones IS NULL THEN (
        SELECT sum(t.zones) FROM zone_tallies AS t WHERE t.organization_id = own.organization AND t.tag = ANY (${tags})
      )
      ELSE (
        SELECT count(*) FROM zones AS z
        WHERE z.organization_id = own.organization AND z.id = ANY (own.zones) AND z.tag = ANY (${tags})
      )
    END), 0)::integer FROM own
  ) AS "totalItems",
  (
    -- In the order of the page: it is aggregated as it is sorted.
    SELECT string_agg((
      SELECT id || ' ' || organization_id || ' ' || revision || '.' || xmin::text FROM zones WHERE id = page.id
    ), ',') FROM page
  ) AS "versions"
FROM (VALUES (1)) AS one LEFT JOIN caller AS c ON true
