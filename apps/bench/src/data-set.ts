import { randomUUID } from 'node:crypto';
import { defaultZoneSettings } from '@zonewright/core';
import type { Database } from '@zonewright/postgres';
import { inTurn, post } from './load.ts';
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

/** One account per connection: no user refreshes eight sessions at once. The first has all zones. */
export const accounts: readonly Account[] = Array.from({ length: connections }, (_, index) => accountNumber(index + 1));
const [owner = accountNumber(1)] = accounts;

/** Identifiers that the works use. */
export interface DataSet {
  readonly userId: string;
  readonly organizations: readonly number[];
  /** A zone with 100 nested items. */
  readonly zone: string;
  /** Has 100 configuration rules. */
  readonly crowded: CrowdedZone;
  /** Has 1,000 rewrite rules. */
  readonly long: CrowdedZone;
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
  const [userId = ''] = await inTurn(accounts, (account) => register(database, port, account));
  await database.none(sql('data/own-organizations'), [userId, organizationCount]);
  await database.none(sql('data/foreign-organizations'), [foreignOrganizations]);
  const organizations = await organizationsOf(database, userId);
  await addZones(database, userId, organizations);
  const [first = 0, second = 0] = organizations;
  const [zone = '', crowdedZone = ''] = await zonesOf(database, first);
  const [longZone = ''] = await zonesOf(database, second);
  const { token } = await logIn(port);
  await database.none(sql('data/tables'));
  await addContents(port, token, zone);
  await addAnswers(database, port, token, zone);
  const crowded = inTheMiddle(crowdedZone, await addRules(port, token, crowdedZone, siblings));
  await database.none(sql('data/raise-limits'), [second, { rewriteRules: manySiblings }]);
  const long = inTheMiddle(longZone, await addRewriteRules(port, token, longZone, manySiblings));
  await database.none(sql('data/rules'), [[crowdedZone, longZone]]);
  for (const table of ['zones', 'zone_settings', 'bench_rules', 'bench_answers', 'bench_texts'])
    await database.none('VACUUM ANALYZE $1:name', [table]);
  await database.none('ANALYZE');
  return { userId, organizations, zone, crowded, long };
}

const inTheMiddle = (zone: string, rules: readonly string[]): CrowdedZone => ({
  zone,
  rule: rules[rules.length / 2] ?? '',
});

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

/** Names and timestamps are shuffled. */
async function addZones(database: Database, userId: string, organizations: readonly number[]): Promise<void> {
  const text = JSON.stringify(settings);
  const part = 5;
  for (let from = 0; from < zonesPerOrganization; from += part)
    await database.none(sql('data/zones'), [userId, organizations, zonesOfOthers, text, from, from + part]);
}

/** Two zones of an organization. */
const zonesOf = (database: Database, organization: number): Promise<string[]> =>
  database.map(sql('data/last-zones'), [organization, 2], ({ id }: { readonly id: string }) => id);

/** A unique database name. */
export const freshName = (): string => `zonewright_bench_${randomUUID().replaceAll('-', '')}`;
