import { randomUUID } from 'node:crypto';
import { defaultZoneSettings } from '@zonewright/core';
import type { Database } from '@zonewright/postgres';
import { exchange } from './load.ts';

const organizationCount = 20;
const zonesPerOrganization = 500;
const connections = 8;
/** The greatest number of rules a zone may have. */
const siblings = 100;

const passwordOfAll = 'Correct-Horse-7';

/** What somebody signs in with. */
export interface Account {
  readonly email: string;
  readonly password: string;
}

const accountNumber = (number: number): Account => ({ email: `bench${number}@example.com`, password: passwordOfAll });

/** One account for each connection: nobody refreshes eight sessions at once. The first one is in every organization. */
export const accounts: readonly Account[] = Array.from({ length: connections }, (_, index) => accountNumber(index + 1));
const [owner = accountNumber(1)] = accounts;

/** What the works refer to. */
export interface DataSet {
  readonly userId: string;
  readonly organizations: readonly number[];
  /** A zone with 50 rules. */
  readonly zone: string;
  /** One zone with 100 rules for each connection, so that what is measured is work and not waiting for each other. */
  readonly crowded: readonly CrowdedZone[];
}

export interface CrowdedZone {
  readonly zone: string;
  /** A rule in the middle of the order. */
  readonly rule: string;
}

/** Headers that bring the settings of a zone to about 3.5 KB of JSON text. */
const settings = {
  ...defaultZoneSettings,
  headersResponseSet: Array.from({ length: 20 }, (_, index) => ({
    name: `X-Bench-${index}`,
    value: `a value of a response header that somebody wrote, number ${index}`,
  })),
};

/** Fills an empty database: through the API what the API checks, by SQL what would take too long. */
export async function fill(database: Database, port: number): Promise<DataSet> {
  const [userId = ''] = await Promise.all(accounts.map((account) => register(database, port, account)));
  const organizations = await addOrganizations(database, userId);
  const zones = await addZones(database, userId, organizations);
  const token = (await logIn(port, owner)).token;
  const [zone = '', ...others] = zones;
  await addRules(port, token, zone, 50);
  const crowded = await Promise.all(
    others.slice(0, connections).map(async (each) => {
      const rules = await addRules(port, token, each, siblings);
      return { zone: each, rule: rules[siblings / 2] ?? '' };
    }),
  );
  await addPositions(database, crowded);
  await database.none('VACUUM ANALYZE');
  return { userId, organizations, zone, crowded };
}

const json = { 'Content-Type': 'application/json', Accept: 'application/json' } as const;

const post = async <T>(port: number, path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await exchange(port, {
    method: 'POST',
    path,
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
    learn: () => undefined,
  });
  return JSON.parse(answer) as T;
};

/** Signs in; as the one with all the zones unless somebody else is named. */
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
  const rows = await database.any<{ id: number }>('SELECT organization_id AS id FROM memberships WHERE user_id = $1', [
    userId,
  ]);
  return rows.map(({ id }) => id);
}

/** The ids of some of them. */
async function addZones(database: Database, userId: string, organizations: readonly number[]): Promise<string[]> {
  await database.none(
    `INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token, created_by)
     SELECT gen_random_uuid(), organization, 'Zone-' || n, 'zone-' || n, (ARRAY['prod', 'stage', 'dev'])[1 + n % 3],
       md5(organization::text) || md5(n::text), $1
     FROM unnest($2::int[]) AS organization, generate_series(1, $3) AS n`,
    [userId, organizations, zonesPerOrganization],
  );
  await database.none('INSERT INTO zone_settings (zone_id, settings) SELECT id, $1 FROM zones', [
    JSON.stringify(settings),
  ]);
  const rows = await database.any<{ id: string }>('SELECT id FROM zones ORDER BY created_at, id DESC LIMIT $1', [
    1 + connections,
  ]);
  return rows.map(({ id }) => id);
}

async function addRules(port: number, token: string, zone: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { id } = await post<{ id: string }>(port, `/api/zones/${zone}/configuration-rules`, aRule(number), {
      Authorization: `Bearer ${token}`,
    });
    ids.push(id);
  }
  return ids;
}

const aRule = (number: number) => ({
  name: `Rule ${number}`,
  description: 'Caches what a shop shows to everybody, and leaves alone what it shows to one person only.',
  conditions: {
    logic: 'and',
    conditions: [
      { field: 'uri', operator: 'equals', value: `/page-${number}` },
      { field: 'method', operator: 'equals', value: 'GET' },
    ],
  },
  settingsOverrides: {
    cachingStaticEnabled: true,
    cachingDefaultTtl: 3600,
    headersResponseSet: [
      { name: 'X-Rule', value: `rule number ${number}` },
      { name: 'X-Frame-Options', value: 'DENY' },
    ],
  },
});

/** The same siblings as a table of integer positions, among those of other zones: what the floor's move works on. */
async function addPositions(database: Database, crowded: readonly CrowdedZone[]): Promise<void> {
  await database.none(`CREATE TABLE bench_positions (
    rule_id uuid PRIMARY KEY, zone_id uuid NOT NULL, position integer NOT NULL,
    UNIQUE (zone_id, position) DEFERRABLE INITIALLY DEFERRED
  )`);
  await database.none(`INSERT INTO bench_positions
    SELECT gen_random_uuid(), id, n FROM zones, generate_series(1, 3) AS n
    WHERE id NOT IN (SELECT zone_id FROM rules)`);
  await database.none(
    `INSERT INTO bench_positions
     SELECT id, zone_id, row_number() OVER (PARTITION BY zone_id, kind ORDER BY rank) FROM rules
     WHERE zone_id = ANY ($1::uuid[])`,
    [crowded.map(({ zone }) => zone)],
  );
}

/** A name for a database that nobody else uses. */
export const freshName = (): string => `zonewright_bench_${randomUUID().replaceAll('-', '')}`;
