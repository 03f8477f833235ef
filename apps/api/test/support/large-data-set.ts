import { defaultZoneSettings } from '@zonewright/core';
import type { Database } from '@zonewright/postgres';
import type { User } from './arrange.ts';

/** A large database, and the objects that requests use. */
export interface LargeDataSet {
  /** A zone in the user's organization with 1,000 configuration rules, 50 basic-auth users and 1,200 revisions. */
  readonly zone: string;
  /** A rule in the middle of the list. */
  readonly rule: string;
  /** The last rule of the list. */
  readonly lastRule: string;
}

/** In the 40 organizations that have zones, more than a page holds. */
export const zonesPerOrganization = 130;

/**
 * Fills a database by SQL within a second or two: 5,000 zones in 40 organizations, four of which the user belongs to,
 * and thousands of people, sessions, tokens, invitations and events, some of them of the user or the organization.
 */
export async function fillLargeDatabase(database: Database, { id: user, organization }: User): Promise<LargeDataSet> {
  const settings = JSON.stringify(defaultZoneSettings);
  for (const statement of everywhere) await database.none(statement, { user, organization, settings });
  const { zone } = await database.one<{ zone: string }>(
    'SELECT id AS zone FROM zones WHERE organization_id = $1 ORDER BY id OFFSET 100 LIMIT 1',
    organization,
  );
  for (const statement of inZones) await database.none(statement, { zone, user });
  const rules = await database.one<{ rule: string; lastRule: string }>(
    `SELECT (SELECT id FROM rules WHERE zone_id = $1 AND rank = 500) AS rule,
       (SELECT id FROM rules WHERE zone_id = $1 AND rank = 1000) AS "lastRule"`,
    zone,
  );
  await database.none('VACUUM ANALYZE');
  return { zone, ...rules };
}

const everywhere = [
  `INSERT INTO organizations (name, name_key)
   SELECT 'Organization ' || n, 'organization ' || n FROM generate_series(1, 1500) AS n`,
  `INSERT INTO users (id, email, email_key, password_hash, first_name, last_name, email_verified_at)
   SELECT gen_random_uuid(), 'many' || n || '@example.com', 'many' || n || '@example.com', 'x', 'Ada', 'Lovelace', now()
   FROM generate_series(1, 3000) AS n`,
  `INSERT INTO memberships (organization_id, user_id, role)
   SELECT CASE WHEN n <= 90 THEN $<organization> ELSE o.id END, u.id, 'editor'
   FROM (SELECT id, row_number() OVER () AS n FROM users WHERE id <> $<user>) AS u
     JOIN (SELECT id, row_number() OVER () AS m FROM organizations WHERE id <> $<organization>) AS o
       ON o.m = 1 + u.n % 1500`,
  `INSERT INTO memberships (organization_id, user_id, role)
   SELECT id, $<user>, 'viewer' FROM organizations WHERE id <> $<organization> ORDER BY id LIMIT 3`,
  // In order of creation, which scatters the zones of each organization.
  `INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash)
   SELECT gen_random_uuid(), o.id, 'Zone ' || n, 'zone ' || n, (ARRAY['prod', 'stage', 'dev'])[1 + n % 3],
     'ban_' || lpad((o.id * 1000 + n)::text, 36, '0')
   FROM generate_series(1, ${zonesPerOrganization}) AS n,
     (SELECT id FROM organizations ORDER BY id <> $<organization>, id LIMIT 40) AS o`,
  `INSERT INTO zone_settings (zone_id, settings)
   SELECT id, $<settings>::json FROM zones`,
  `INSERT INTO sessions (id, user_id, methods, expires_at)
   SELECT gen_random_uuid(), CASE WHEN n % 100 = 0 THEN $<user>::uuid ELSE id END, '{pwd}', now() + interval '90 days'
   FROM (SELECT id, row_number() OVER () AS n FROM users WHERE id <> $<user>) AS u`,
  `INSERT INTO api_tokens (id, user_id, hash, name, name_key, prefix, read_only, permissions, organizations)
   SELECT gen_random_uuid(), CASE WHEN n % 100 = 0 THEN $<user>::uuid ELSE id END, md5(n::text), 'Token ' || n,
     'token ' || n, 'zw_00000', false, '{admin}', '{}'
   FROM (SELECT id, row_number() OVER () AS n FROM users WHERE id <> $<user>) AS u`,
  `INSERT INTO invitations (id, organization_id, email, email_key, role, hash, expires_at)
   SELECT gen_random_uuid(), CASE WHEN n % 50 = 0 THEN $<organization> ELSE 1 + n % 1500 END, 'guest' || n || '@example.com',
     'guest' || n || '@example.com', 'viewer', md5(n::text), now() + interval '7 days'
   FROM generate_series(1, 3000) AS n`,
  `INSERT INTO origin_servers (id, organization_id, name, name_key, protocol, address, address_key, port)
   SELECT gen_random_uuid(), o.id, 'Server ' || n, 'server ' || n, 'https', n || '.example.com', n || '.example.com', 443
   FROM generate_series(1, 150) AS n,
     (SELECT id FROM organizations ORDER BY id <> $<organization>, id LIMIT 20) AS o`,
  `INSERT INTO load_balancers (id, organization_id, name, name_key, method)
   SELECT gen_random_uuid(), organization_id, name, name_key, 'random' FROM origin_servers WHERE name_key <= 'server 5'`,
  `INSERT INTO load_balancer_origins (load_balancer_id, position, origin_server_id, organization_id, weight, enabled)
   SELECT b.id, 1, s.id, b.organization_id, 1, true
   FROM load_balancers AS b JOIN origin_servers AS s ON s.organization_id = b.organization_id AND s.name_key = b.name_key`,
  `INSERT INTO audit_log (action, actor_id, organization_id, objects, at)
   SELECT (ARRAY['zone.created', 'zone.changed', 'zone.deleted'])[1 + n % 3],
     CASE WHEN n % 7 = 0 THEN $<user>::uuid END,
     CASE WHEN n % 20 = 0 THEN $<organization> ELSE 1 + n % 1500 END, '{}', now() - n * interval '1 minute'
   FROM generate_series(1, 10000) AS n`,
];

/** A set of rows: some in the one zone, and one in each of many others. */
const places = (ofZone: number, others: number): string =>
  `(SELECT $<zone>::uuid AS id, n FROM generate_series(1, ${ofZone}) AS n
    UNION ALL (SELECT id, 1 FROM zones WHERE id <> $<zone> ORDER BY id LIMIT ${others})) AS z`;

const inZones = [
  `INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, rank, content)
   SELECT gen_random_uuid(), z.id, 'configurationRule', 'rule ' || n, sha256(n::text::bytea), n, json_build_object(
     'name', 'Rule ' || n, 'description', '', 'enabled', true,
     'conditions', json_build_object('logic', 'and', 'conditions', json_build_array(
       json_build_object('field', 'uri', 'operator', 'equals', 'value', '/' || n))),
     'stopOnMatch', false, 'settingsOverrides', json_build_object('minifyHtml', true))
   FROM ${places(1000, 4000)}`,
  'INSERT INTO rule_lists (zone_id, kind) SELECT DISTINCT zone_id, kind FROM rules',
  `INSERT INTO basic_auth_users (id, zone_id, username, username_key, comment, password_hash)
   SELECT gen_random_uuid(), z.id, 'user ' || n, 'user ' || n, '', '$2y$' FROM ${places(50, 2000)}`,
  `INSERT INTO zone_revisions (zone_id, number, action, objects, author, patch, inverse, snapshot)
   SELECT z.id, n, 'zone.changed', '{}', $<user>, '{}', '{}', CASE WHEN n = 1 OR n % 100 = 0 THEN '{}'::json END
   FROM ${places(1200, 4000)}`,
  'UPDATE zones SET revision = 1200 WHERE id = $<zone>',
];
