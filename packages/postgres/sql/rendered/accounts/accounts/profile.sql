-- Rendered from templates/accounts/accounts/profile.sql.eta
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
  u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.active,
  u.email_verified_at IS NOT NULL AS "emailVerified",
  f.state IS NOT DISTINCT FROM 'enabled' AS "twoFactorEnabled",
  (
    SELECT coalesce(bool_or(o.enforce_two_factor), false)
    FROM memberships AS m JOIN organizations AS o ON o.id = m.organization_id
    WHERE m.user_id = u.id
  ) AS "twoFactorEnforced",
  u.password_hash IS NOT NULL AS "hasPassword",
  ARRAY(SELECT provider FROM provider_identities WHERE user_id = u.id ORDER BY provider COLLATE "C") AS "connectedProviders",
  u.created_at AS "createdAt", u.updated_at AS "updatedAt", u.revision
FROM caller AS c JOIN users AS u ON u.id = c.user_id LEFT JOIN two_factor AS f ON f.user_id = u.id
