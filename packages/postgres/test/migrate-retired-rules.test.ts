import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runner } from 'node-pg-migrate';
import { type Database, migrate, openDatabase } from '../src/index.ts';
import { emptyDatabase } from './support/database.ts';

const directory = fileURLToPath(new URL('../migrations', import.meta.url));
const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
/** The migrations before removed rules were recorded. */
const before = readdirSync(directory).filter((name) => name.endsWith('.sql') && name < '0073').length;

const zone = '01900000-0000-7000-8000-000000000001';
const ruleOf = (number: number) => `01900000-0000-7000-8000-00000000010${number}`;

/** A zone whose history adds three rules to two lists and removes two of them, one of them twice. */
async function fill(database: Database): Promise<void> {
  await database.none(`INSERT INTO organizations (name, name_key) VALUES ('Team', 'team')`);
  await database.none('INSERT INTO zone_identities (id, organization_id) SELECT $1, id FROM organizations', zone);
  const patches = [
    { zone_settings: { cachingDefaultTtl: 1 }, accessRules: { order: {}, items: { [ruleOf(1)]: { name: 'a' } } } },
    { accessRules: { items: { [ruleOf(1)]: null, [ruleOf(2)]: { name: 'b' } } } },
    { accessRules: { items: { [ruleOf(1)]: { name: 'a' } } }, rewriteRules: { items: { [ruleOf(3)]: { name: 'c' } } } },
    { accessRules: { items: { [ruleOf(1)]: null } }, rewriteRules: { items: { [ruleOf(3)]: null } } },
  ];
  for (const [index, patch] of patches.entries()) {
    await database.none(
      `INSERT INTO zone_revisions (zone_id, number, action, objects, patch, inverse, created_at)
       VALUES ($1, $2, 'zone.changed', '{}', $3::json, '{}', now())`,
      [zone, index + 1, JSON.stringify(patch)],
    );
  }
}

describe('migrate, on a database without retired rules,', function () {
  this.timeout(30_000);

  it('finds the rules that the history of zones has removed, with their latest removal', async () => {
    const url = await emptyDatabase();
    const options = { databaseUrl: url, dir: directory, migrationsTable: 'schema_migrations', logger: silent };
    await runner({ ...options, direction: 'up', count: before, singleTransaction: true, verbose: false });
    const database = openDatabase({ url, connections: 1 });
    await fill(database);
    await migrate(url);
    const retired = await database.any('SELECT id, kind, revision FROM retired_rules ORDER BY id');
    expect(retired).to.deep.equal([
      { id: ruleOf(1), kind: 'accessRule', revision: 4 },
      { id: ruleOf(3), kind: 'rewriteRule', revision: 4 },
    ]);
    await database.$pool.end();
  });
});
