import { randomUUID } from 'node:crypto';
import { defaultZoneSettings } from '@zonewright/core';
import type { Database } from '@zonewright/postgres';
import { post } from './load.ts';
import { sql } from './sql.ts';
import { addAnswers, addContents, addRewriteRules, addRules, type CrowdedZone } from './zone-contents.ts';

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

const accountNumber = (number: number) => ({ email: `bench${number}@example.com`, password: passwordOfAll });
/** Credentials of a user. */
export type Account = ReturnType<typeof accountNumber>;

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
  await database.none(sql('data/own-organizations'), [userId, organizationCount]);
  await database.none(sql('data/foreign-organizations'), [foreignOrganizations]);
  const organizations = await organizationsOf(database, userId);
  const [zone = '', ...others] = await addZones(database, userId, organizations);
  const single = organizations[1] ?? 0;
  await database.none(sql('data/leave-all'), [[second, third]]);
  await database.none(sql('data/join-one'), [second, single]);
  await database.none(sql('data/join-many'), [third, organizations]);
  const { token } = await logIn(port, owner);
  await database.none(sql('data/tables'));
  await addContents(port, token, zone);
  await addAnswers(database, port, token, zone);
  const crowded = await Promise.all(
    others.slice(0, connections).map(async (each) => {
      const rules = await addRules(port, token, each, siblings);
      return { zone: each, rule: rules[siblings / 2] ?? '' };
    }),
  );
  const long = await addLongLists(database, port, token, organizations[2] ?? 0);
  await database.none(sql('data/positions'), [[...crowded, ...long].map((each) => each.zone)]);
  for (const table of ['zones', 'zone_settings', 'bench_positions', 'bench_answers', 'bench_texts'])
    await database.none('VACUUM ANALYZE $1:name', [table]);
  await database.none('ANALYZE');
  const many = await organizationsOf(database, third);
  const { plainToken } = await post<{ plainToken: string }>(port, '/api/api-tokens', { name: 'bench' }, token);
  return { userId, organizations, zone, crowded, long, apiToken: plainToken, single, many };
}

/** Signs in; by default as the account with all zones. */
export const logIn = (
  port: number,
  account: Account = owner,
): Promise<{ readonly token: string; readonly refreshToken: string }> => post(port, '/api/auth/login', account);

async function register(database: Database, port: number, account: Account): Promise<string> {
  const person = { ...account, firstName: 'Ada', lastName: 'Lovelace' };
  const { id } = await post<{ id: string }>(port, '/api/auth/register', person);
  await database.none(sql('data/verify'), [id]);
  return id;
}

const organizationsOf = (database: Database, userId: string): Promise<number[]> =>
  database.map(sql('data/organizations-of'), [userId], ({ id }: { readonly id: number }) => id);

/** Names and timestamps are shuffled. Returns the ids of some zones of the first account. */
async function addZones(database: Database, userId: string, organizations: readonly number[]): Promise<string[]> {
  const text = JSON.stringify(settings);
  const part = 5;
  for (let from = 0; from < zonesPerOrganization; from += part)
    await database.none(sql('data/zones'), [userId, organizations, zonesOfOthers, text, from, from + part]);
  return lastZonesOf(database, organizations[0] ?? 0, 1 + connections);
}

const lastZonesOf = (database: Database, organization: number, count: number): Promise<string[]> =>
  database.map(sql('data/last-zones'), [organization, count], ({ id }: { readonly id: string }) => id);

/** One zone with 1,000 rewrite rules per connection, in an organization with raised limits. */
async function addLongLists(
  database: Database,
  port: number,
  token: string,
  organization: number,
): Promise<CrowdedZone[]> {
  await database.none(sql('data/raise-limits'), [organization, { rewriteRules: manySiblings }]);
  const long: CrowdedZone[] = [];
  for (const zone of await lastZonesOf(database, organization, connections)) {
    const rules = await addRewriteRules(port, token, zone, manySiblings);
    long.push({ zone, rule: rules[manySiblings / 2] ?? '' });
  }
  return long;
}

/** A unique database name. */
export const freshName = (): string => `zonewright_bench_${randomUUID().replaceAll('-', '')}`;
