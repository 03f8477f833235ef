/** Pages by id and name only, then loads the rest for the rows of the page. */
const page = (condition: string, part: string, names = 'zones'): string => `WITH page AS (
    SELECT id, name_key FROM ${names} WHERE ${condition} ORDER BY name_key, id ${part}
  )
  SELECT z.id, z.organization_id AS "organizationId", z.name, z.tag, z.ban_token AS "banToken", z.created_by AS "createdBy",
    z.created_at AS "createdAt", z.updated_at AS "updatedAt", s.settings::text AS "settings"
  FROM page JOIN zones AS z USING (id) JOIN zone_settings AS s ON s.zone_id = z.id ORDER BY z.name_key, z.id`;

/** What every zone change writes besides: the revision counters, history with both patches, and the audit log. */
const recorded = (action: string, patch: string): string => `head AS (
    UPDATE zones SET revision = revision + 1 WHERE id = $1 RETURNING id, revision, organization_id
  ), list AS (
    INSERT INTO rule_lists AS l (zone_id, kind) SELECT id, 'configurationRule' FROM head
    ON CONFLICT (zone_id, kind) DO UPDATE SET revision = l.revision + 1
  ), history AS (
    INSERT INTO zone_revisions (zone_id, number, action, objects, author, patch, inverse, replay_bytes)
    SELECT id, revision, '${action}', json_build_object('rule', $2::uuid), $3, ${patch}, ${patch}, 200 FROM head
  ), audit AS (
    INSERT INTO audit_log (action, actor_id, organization_id, objects)
    SELECT '${action}', $3, organization_id, jsonb_build_object('rule', $2::uuid, 'zone', id) FROM head
  )`;

const patchOf = (member: string): string => `json_build_object('configurationRules', ${member})`;

/** The statements of the floor: the minimum for each response, with better-suited indexes where possible. */
export const statements = {
  list: page('organization_id = ANY ($1)', 'LIMIT 30 OFFSET $2'),
  total: 'SELECT sum(zones)::int AS "total" FROM zone_tallies WHERE organization_id = ANY ($1)',
  search: page('organization_id = ANY ($1) AND search_key LIKE $2', 'LIMIT 30', 'bench_texts'),
  searchTotal:
    'SELECT count(*)::int AS "total" FROM bench_texts WHERE organization_id = ANY ($1) AND search_key LIKE $2',
  zone: `SELECT z.id, z.organization_id AS "organizationId", z.name, z.tag, z.ban_token AS "banToken",
      z.created_by AS "createdBy", z.created_at AS "createdAt", z.updated_at AS "updatedAt", s.settings::text AS "settings",
      (SELECT count(*)::int FROM basic_auth_users AS b WHERE b.zone_id = z.id) AS "basicAuthUserCount"
    FROM zones AS z JOIN zone_settings AS s ON s.zone_id = z.id WHERE z.id = $1`,
  nested: `SELECT member, count(*)::int AS "count", string_agg(body, ',' ORDER BY place) AS "items"
    FROM bench_answers WHERE zone_id = $1 GROUP BY member`,
  profile: `SELECT id, email, first_name AS "firstName", last_name AS "lastName", active,
      email_verified_at IS NOT NULL AS "emailVerified", password_hash IS NOT NULL AS "hasPassword",
      EXISTS (SELECT 1 FROM two_factor WHERE user_id = users.id AND state = 'enabled') AS "twoFactorEnabled",
      EXISTS (
        SELECT 1 FROM memberships AS m JOIN organizations AS o ON o.id = m.organization_id
        WHERE m.user_id = users.id AND o.enforce_two_factor
      ) AS "twoFactorEnforced",
      ARRAY(SELECT provider FROM provider_identities WHERE user_id = users.id ORDER BY provider) AS "connectedProviders",
      created_at AS "createdAt", updated_at AS "updatedAt"
    FROM users WHERE id = $1`,
  /** Integer positions under a deferrable unique constraint: the cost of ordering without a list of ids. */
  move: `WITH ${recorded('configurationRule.moved', patchOf(`json_build_object('order', json_build_object($2::uuid, $5::int))`))}
    UPDATE bench_positions
    SET position = CASE WHEN rule_id = $2 THEN $5::int ELSE position + CASE WHEN $4::int < $5::int THEN -1 ELSE 1 END END
    WHERE zone_id = $1 AND position BETWEEN least($4::int, $5::int) AND greatest($4::int, $5::int)
    RETURNING rule_id`,
  patch: `WITH ${recorded('configurationRule.changed', patchOf(`json_build_object('items', json_build_object($2::uuid, json_build_object('description', $4::text)))`))}
    UPDATE rules SET content = (content::jsonb || jsonb_build_object('description', $4::text))::json,
      updated_at = clock_timestamp(), revision = revision + 1
    WHERE id = $2 AND zone_id = $1
    RETURNING id, content::text AS "content", created_at AS "createdAt", updated_at AS "updatedAt"`,
  // Writes the same rows as the service: the used token, its successor, the session and the audit entry.
  refresh: `WITH used AS (
      UPDATE refresh_tokens SET used_at = now() WHERE hash = $1 AND used_at IS NULL AND expires_at > now()
      RETURNING session_id
    ), touched AS (
      UPDATE sessions SET last_used_at = now() FROM used WHERE id = used.session_id RETURNING id, user_id
    ), recorded AS (
      INSERT INTO audit_log (action, actor_id, objects)
      SELECT 'session.refreshed', user_id, jsonb_build_object('session', id) FROM touched
    )
    INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT $2, id, now() + interval '30 days' FROM touched
    RETURNING session_id AS "sessionId"`,
  // Likewise for a sign-in.
  open: `WITH opened AS (
      INSERT INTO sessions (id, user_id, methods, expires_at) VALUES ($1, $2, '{pwd}', now() + interval '90 days')
      RETURNING id, user_id
    ), recorded AS (
      INSERT INTO audit_log (action, actor_id, objects)
      SELECT 'session.opened', user_id, jsonb_build_object('session', id) FROM opened
    )
    INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT $3, id, now() + interval '30 days' FROM opened`,
  account: 'SELECT id, password_hash AS "passwordHash" FROM users WHERE email_key = $1',
} as const;
