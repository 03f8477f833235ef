import { fileURLToPath } from 'node:url';
import { ZoneId } from '@zonewright/core';
import { expect } from 'chai';
import { runner } from 'node-pg-migrate';
import { type Database, migrate, openDatabase } from '../src/index.ts';
import { emptyDatabase } from './support/database.ts';

const directory = fileURLToPath(new URL('../migrations', import.meta.url));
const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
/** The last migration before sizes were stored. */
const before = 14;

const zone = ZoneId.parse('01900000-0000-7000-8000-000000000001');
const patchOf = (number: number): string => JSON.stringify({ name: `Ü${number}`.repeat(number) });

/** A zone with a snapshot at its third revision and two changes since. */
async function fill(database: Database): Promise<void> {
  await database.none(`INSERT INTO organizations (name, name_key) VALUES ('Team', 'team')`);
  await database.none(
    `INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token, revision)
     SELECT $1, id, 'Shop', 'shop', 'prod', 'ban_1', 5 FROM organizations`,
    zone,
  );
  await database.none(`INSERT INTO zone_settings (zone_id, settings) VALUES ($1, '{"a": "ü"}')`, zone);
  for (const number of [1, 2, 3, 4, 5]) {
    await database.none(
      `INSERT INTO zone_revisions (zone_id, number, action, objects, patch, inverse, snapshot)
       VALUES ($1, $2, 'zone.changed', '{}', $3::json, '{}', $4::json)`,
      [zone, number, patchOf(number), number === 1 || number === 3 ? '{}' : null],
    );
  }
}

describe('migrate, on a database without sizes,', function () {
  this.timeout(60_000);

  it('measures existing rows', async () => {
    const url = await emptyDatabase();
    await runner({
      databaseUrl: url,
      dir: directory,
      migrationsTable: 'schema_migrations',
      direction: 'up',
      count: before,
      singleTransaction: true,
      verbose: false,
      logger: silent,
    });
    const database = openDatabase({ url, connections: 1 });
    await fill(database);
    await migrate(url);
    const { bytes } = await database.one<{ bytes: number }>('SELECT settings_bytes AS bytes FROM zone_settings');
    expect(bytes).to.equal(Buffer.byteLength('{"a": "ü"}'));
    const { replayed } = await database.one<{ replayed: number }>(
      'SELECT replay_bytes AS replayed FROM zone_revisions ORDER BY number DESC LIMIT 1',
    );
    expect(replayed).to.equal(Buffer.byteLength(patchOf(4)) + Buffer.byteLength(patchOf(5)));
    await database.$pool.end();
  });
});
