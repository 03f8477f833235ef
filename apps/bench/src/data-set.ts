import { randomUUID } from 'node:crypto';
import { defaultZoneSettings } from '@zonewright/core';
import type { Database } from '@zonewright/postgres';
import type { CrowdedZone } from './crowded-zone.ts';
import { post } from './send.ts';
import { addAnswers, addContents, addPositions, addRewriteRules, addRules } from './zone-contents.ts';

const organizationCount = 20;
const zonesPerOrganization = 500;
const connections = 8;
/** Organizations without the first account: they own four of five zones. */
const foreignOrganizations = 380;
const zonesOfOthers = 105;
/** The default maximum of rules in a zone, and of rewrite rules at the operator's highest setting. */
const siblings = 100;
const manySiblings = 1000;

const passwordOfAll = 'Correct-Horse-7';

/** Credentials of a user. */
export interface Account {
  readonly email: string;
  readonly password: string;
}

const accountNumber = (number: number): Account => ({ email: `bench${number}@example.com`, password: passwordOfAll });

/** One account per connection: no user refreshes eight sessions at once. The first is in every organization. */
export const accounts: readonly Account[] = Array.from({ length: connections }, (_, index) => accountNumber(index + 1));
const [owner = accountNumber(1)] = accounts;

/** Identifiers that the works use. */
export interface DataSet {
  readonly userId: string;
  readonly organizations: readonly number[];
  /** A zone with 100 nested items. */
  readonly zone: string;
  /** An API token of the first account. */
  readonly apiToken: string;
  /** An organization with 500 zones, the only one of the second account. */
  readonly single: number;
  /** The organizations of the third account: the first account's and 180 others. */
  readonly many: readonly number[];
  /** One zone with 100 rules per connection, so that connections do not wait for each other's locks. */
  readonly crowded: readonly CrowdedZone[];
  /** The same with 1,000 rewrite rules each. */
  readonly long: readonly CrowdedZone[];
}

/** Headers that bring a zone's settings to about 3.5 KB of JSON. */
const settings = {
  ...defaultZoneSettings,
  headersResponseSet: Array.from({ length: 20 }, (_, index) => ({
    name: `X-Bench-${index}`,
    value: `a value of a response header that someone wrote, number ${index}`,
  })),
};

/** Fills an empty database: through the API where it validates, by SQL where that would take too long. */
export async function fill(database: Database, port: number): Promise<DataSet> {
  const [userId = '', second = '', third = ''] = await Promise.all(
    accounts.map((account) => register(database, port, account)),
  );
  const organizations = await addOrganizations(database, userId);
  await addForeignOrganizations(database);
  const [zone = '', ...others] = await addZones(database, userId, organizations);
  const single = organizations[1] ?? 0;
  await limitTo(database, second, `id = ${single}`);
  await limitTo(database, third, `id IN (${organizations.join(',')}) OR name LIKE 'Foreign%' AND id % 2 = 0 LIMIT 200`);
  const token = (await logIn(port, owner)).token;
  await addContents(port, token, zone);
  await addAnswers(database, port, token, zone);
  const crowded = await Promise.all(
    others.slice(0, connections).map(async (each) => {
      const rules = await addRules(port, token, each, siblings);
      return { zone: each, rule: rules[siblings / 2] ?? '' };
    }),
  );
  const long = await addLongLists(database, port, token, organizations[2] ?? 0);
  await addPositions(database, [...crowded, ...long]);
  // For the floor's list in order of all zones, and its trigram search: best for a user who sees every fifth zone.
  await database.none('CREATE INDEX bench_names ON zones (name_key, id) INCLUDE (organization_id)');
  await database.none('CREATE TABLE bench_texts AS SELECT id, organization_id, name_key, search_key FROM zones');
  await database.none('CREATE INDEX ON bench_texts USING gin (search_key gin_trgm_ops)');
  for (const table of ['zones', 'zone_settings', 'bench_positions', 'bench_answers', 'bench_texts'])
    await database.none('VACUUM ANALYZE $1:name', [table]);
  await database.none('ANALYZE');
  const many = await organizationsOf(database, third);
  return { userId, organizations, zone, crowded, long, apiToken: await addApiToken(port, token), single, many };
}

/** Signs in; by default as the account with all zones. */
export const logIn = (
  port: number,
  account: Account = owner,
): Promise<{ readonly token: string; readonly refreshToken: string }> => post(port, '/api/auth/login', account);

async function register(database: Database, port: number, account: Account): Promise<string> {
  const { id } = await post<{ id: string }>(port, '/api/auth/register', {
    ...account,
    firstName: 'Ada',
    lastName: 'Lovelace',
  });
  await database.none('UPDATE users SET email_verified_at = now() WHERE id = $1', [id]);
  return id;
}

async function addOrganizations(database: Database, userId: string): Promise<number[]> {
  await database.none(
    `WITH made AS (
       INSERT INTO organizations (name, name_key) SELECT 'Bench ' || n, 'bench ' || n FROM generate_series(2, $2) AS n
       RETURNING id
     )
     INSERT INTO memberships (organization_id, user_id, role) SELECT id, $1, 'owner' FROM made`,
    [userId, organizationCount],
  );
  return organizationsOf(database, userId);
}

const organizationsOf = async (database: Database, userId: string): Promise<number[]> =>
  (
    await database.any<{ id: number }>('SELECT organization_id AS id FROM memberships WHERE user_id = $1 ORDER BY 1', [
      userId,
    ])
  ).map(({ id }) => id);

const addForeignOrganizations = (database: Database): Promise<null> =>
  database.none(
    "INSERT INTO organizations (name, name_key) SELECT 'Foreign ' || n, 'foreign ' || n FROM generate_series(1, $1) AS n",
    [foreignOrganizations],
  );

/** Makes a user a member of exactly these organizations. */
async function limitTo(database: Database, userId: string, organizations: string): Promise<void> {
  await database.none('DELETE FROM memberships WHERE user_id = $1', [userId]);
  await database.none(
    `INSERT INTO memberships (organization_id, user_id, role) SELECT id, $1, 'editor' FROM organizations WHERE ${organizations}`,
    [userId],
  );
}

const addApiToken = async (port: number, token: string): Promise<string> =>
  (
    await post<{ plainToken: string }>(
      port,
      '/api/api-tokens',
      { name: 'bench' },
      {
        Authorization: `Bearer ${token}`,
      },
    )
  ).plainToken;

/** Names and timestamps are shuffled. Returns the ids of some zones of the first account. */
async function addZones(database: Database, userId: string, organizations: readonly number[]): Promise<string[]> {
  const text = JSON.stringify(settings);
  const part = 5;
  for (let from = 0; from < zonesPerOrganization; from += part) {
    await database.none(
      `WITH added AS (
         INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token, created_by, created_at, updated_at)
         SELECT gen_random_uuid(), o.id, 'Zone-' || key, 'zone-' || key, (ARRAY['prod', 'stage', 'dev'])[1 + n % 3],
           'ban_' || key || '0000', $1, now() - random() * interval '1 year', now() - random() * interval '1 day'
         FROM (
           SELECT id, n, md5(id || ' ' || n) AS key FROM organizations, generate_series($5 + 1, $6) AS n
           WHERE id = ANY ($2::int[]) OR name LIKE 'Foreign%' AND n <= $3
         ) AS o
         RETURNING id
       )
       INSERT INTO zone_settings (zone_id, settings) SELECT id, $4 FROM added`,
      [userId, organizations, zonesOfOthers, text, from, from + part],
    );
  }
  return lastZonesOf(database, organizations[0] ?? 0, 1 + connections);
}

const lastZonesOf = async (database: Database, organization: number, count: number): Promise<string[]> =>
  (
    await database.any<{ id: string }>(
      'SELECT id FROM zones WHERE organization_id = $1 ORDER BY name_key DESC LIMIT $2',
      [organization, count],
    )
  ).map(({ id }) => id);

/** One zone with 1,000 rewrite rules per connection, in an organization with raised limits. */
async function addLongLists(
  database: Database,
  port: number,
  token: string,
  organization: number,
): Promise<CrowdedZone[]> {
  await database.none('UPDATE organizations SET limits = $2 WHERE id = $1', [
    organization,
    { rewriteRules: manySiblings },
  ]);
  const long: CrowdedZone[] = [];
  for (const zone of await lastZonesOf(database, organization, connections)) {
    const rules = await addRewriteRules(port, token, zone, manySiblings);
    long.push({ zone, rule: rules[manySiblings / 2] ?? '' });
  }
  return long;
}

/** A unique database name. */
export const freshName = (): string => `zonewright_bench_${randomUUID().replaceAll('-', '')}`;
