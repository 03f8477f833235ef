-- Rendered from templates/zones/zones/list.sql.eta
-- A page of zones in one row: the versions of its zones, and the exact total. Everything found is null if the page that
-- was read earlier is current. `xmin` distinguishes zones with the same revision before and after a database restore.
-- Lists the zones of the caller's organizations; without a credential, those of the given ones. Of an API token that is
-- limited to some zones, only those are looked at.
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
  SELECT organization FROM granted
  WHERE NOT needs_two_factor AND NOT needs_provider AND (${organization}::integer IS NULL OR organization = ${organization})
  UNION ALL
  SELECT unnest(${organizations}::integer[])
), allowed AS MATERIALIZED (
  SELECT coalesce((SELECT zones FROM caller), ${zones}::uuid[]) AS zones
), whole AS MATERIALIZED (
  SELECT organization FROM own WHERE (SELECT zones IS NULL FROM allowed)
), limited AS MATERIALIZED (
  SELECT z.id, z.name_key, z.tag, z.created_at, z.updated_at
  FROM (SELECT DISTINCT unnest(zones) AS id FROM allowed) AS named JOIN zones AS z ON z.id = named.id
    JOIN own ON own.organization = z.organization_id
  WHERE z.tag = ANY (${tags}) AND z.search_key LIKE ${pattern} ESCAPE '\'
), earlier AS MATERIALIZED (
  -- Two states of the database with the same memberships of the caller, and the same marks in those organizations, have
  -- the same lists. The order of the parts does not matter: in another order, the page is read again.
  SELECT basis, basis IS NOT DISTINCT FROM ${basis} AS is_current
  FROM concat_ws(';',
    (
      SELECT string_agg(concat(organization, role, CASE WHEN needs_two_factor THEN '!' END, '@' || required_provider,
        CASE WHEN needs_provider THEN '!' END), ',')
      FROM granted
    ),
    (SELECT string_agg(m.mark::text, ',') FROM own JOIN zone_change_marks AS m ON m.organization_id = own.organization)
  ) AS basis
), candidates AS MATERIALIZED (
  SELECT z.* FROM whole AS own CROSS JOIN LATERAL (
    SELECT id, name_key, tag, created_at, updated_at FROM zones
    WHERE organization_id = own.organization AND search_key LIKE ${pattern} ESCAPE '\' AND tag = ANY (${tags})
    -- Reads each organization by its index, however many there might be.
    OFFSET 0
  ) AS z
  UNION ALL
  SELECT id, name_key, tag, created_at, updated_at FROM limited
), page AS MATERIALIZED (
  -- Any sort keys: each is the number of a rank, and a direction of 1 or -1.
  SELECT id, row_number() OVER (ORDER BY (
    SELECT array_agg(ranks[key] * direction ORDER BY n)
    FROM unnest(${keys}::integer[], ${directions}::integer[]) WITH ORDINALITY AS sort (key, direction, n)
  ), id) AS place
  FROM (
    SELECT id, ARRAY[
      dense_rank() OVER (ORDER BY name_key), dense_rank() OVER (ORDER BY tag),
      dense_rank() OVER (ORDER BY created_at), dense_rank() OVER (ORDER BY updated_at)
    ] AS ranks
    FROM candidates
  ) AS z
  ORDER BY place
  LIMIT ${limit} OFFSET ${offset}
), versions AS MATERIALIZED (
  SELECT z.id, z.organization_id, z.version, page.place
  FROM page CROSS JOIN LATERAL (
    SELECT id, organization_id, revision || '.' || xmin::text AS version FROM zones WHERE id = page.id LIMIT 1
  ) AS z
)
SELECT c.user_id AS "userId", c.id AS "credentialId", c.read_only AS "readOnly", c.scope IS NOT NULL AS "scoped", c.unnoted,
  c.limits AS "tokenLimits",
  json_build_object(
    'provider', c.provider, 'confirmed', c.confirmed, 'byPassword', c.by_password, 'byCode', c.by_code,
    'byPasskey', c.by_passkey
  ) AS "session",
  CASE WHEN NOT earlier.is_current THEN (SELECT coalesce(json_agg(json_build_object(
    'organization', organization, 'role', role, 'needsTwoFactor', needs_two_factor,
    'requiredProvider', required_provider
  ) ORDER BY organization), '[]') FROM granted) END AS "memberships",
  CASE WHEN NOT earlier.is_current THEN (
    SELECT count(*)::integer FROM candidates
  ) END AS "totalItems",
  CASE WHEN NOT earlier.is_current THEN (
    SELECT string_agg(concat_ws(' ', id, organization_id, version), ',' ORDER BY place) FROM versions
  ) END AS "versions",
  -- A transaction that has written may write again under the same mark.
  CASE WHEN NOT earlier.is_current AND pg_current_xact_id_if_assigned() IS NULL THEN basis END AS "basis"
FROM earlier LEFT JOIN caller AS c ON true
