import { type Repositories, ZoneId } from '@zonewright/core';
import { type Database, openDatabase, PostgresUnitOfWork } from '@zonewright/postgres';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { testBoxes } from '../../postgres/test/support/postgres-storage.ts';
import { cleanUp } from './support/clean-up.ts';
import { migratedDatabase } from './support/database.ts';
import { expectTalliesToHold } from './support/stored-bytes.ts';

const uuid = (last: number) => `01900000-0000-7000-8000-${String(last).padStart(12, '0')}`;
const [kept, forgotten, server] = [ZoneId.parse(uuid(1)), ZoneId.parse(uuid(2)), uuid(3)];

/** Two zones with rules, users, history and a change set; both name an origin server in their history. */
const arrangement = `
  INSERT INTO organizations (name, name_key) VALUES ('Team', 'team');
  INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash) VALUES
    ('${kept}', 1, 'kept', 'kept', 'dev', 'kept'), ('${forgotten}', 1, 'gone', 'gone', 'dev', 'gone');
  INSERT INTO zone_settings (zone_id, settings) SELECT id, '{"a": "ü"}' FROM zones;
  INSERT INTO rules (id, zone_id, kind, name_key, content, rank)
  SELECT gen_random_uuid(), id, 'accessRule', n, '{"x":  1e3}', n FROM zones, generate_series(1, 2) AS n;
  INSERT INTO rule_lists (zone_id, kind) SELECT id, 'accessRule' FROM zones;
  INSERT INTO basic_auth_users (id, zone_id, username, username_key, comment, password_hash)
  SELECT gen_random_uuid(), id, 'u', 'u', '', '$2y$10$' FROM zones;
  INSERT INTO zone_revisions (zone_id, number, action, objects, inverse, snapshot)
  SELECT id, 1, 'zone.created', '{}', '{}', '{}' FROM zones;
  INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, created_at, updated_at, ends_at)
  SELECT gen_random_uuid(), id, '', '', '', 1, '{}', now(), now(), now() + interval '1 day' FROM zones;
  INSERT INTO backend_revisions (backend_id, number, organization_id, kind, action, state) VALUES
    ('${server}', 1, 1, 'origin_server', 'originServer.created', '{}'), ('${server}', 2, 1, 'origin_server', 'originServer.deleted', NULL),
    (gen_random_uuid(), 1, 1, 'origin_server', 'originServer.deleted', NULL);
  INSERT INTO zone_backends (backend_id, zone_id) VALUES ('${server}', '${forgotten}')`;

describe('A deleted zone whose time is over', function () {
  this.timeout(60_000);
  let database: Database;
  let unitOfWork: PostgresUnitOfWork;

  before(async () => {
    database = openDatabase({ url: await migratedDatabase(), connections: 2 });
    unitOfWork = new PostgresUnitOfWork(database, testBoxes());
    await database.none(arrangement);
    await done(({ zones }) => zones.remove(forgotten, undefined));
  });
  after(() => database?.$pool.end());

  const done = async <T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): Promise<void> => {
    const result = await unitOfWork.run(work);
    if (result.isErr()) throw new Error(`A unit was refused: ${JSON.stringify(result.error)}`);
  };
  const tables = ['zone_settings', 'rules', 'rule_lists', 'basic_auth_users', 'zone_revisions', 'change_sets'];
  const rowsOf = async (zone: ZoneId): Promise<readonly number[]> =>
    await Promise.all(
      tables.map(async (table) => {
        const { n } = await database.one<{ n: number }>(
          `SELECT count(*)::int AS n FROM ${table} WHERE zone_id = $1`,
          zone,
        );
        return n;
      }),
    );
  const backends = () =>
    database.map<string>('SELECT DISTINCT backend_id AS id FROM backend_revisions', [], ({ id }) => id);

  it('has everything, and counts, until then, and the history of deleted backends that it names', async () => {
    await cleanUp(database);
    expect(await rowsOf(forgotten)).to.deep.equal([1, 2, 1, 1, 1, 1]);
    expect(await backends()).to.deep.equal([server]);
    await expectTalliesToHold(database);
  });

  it('counts no more at once, and is removed with everything in it, unlike other zones', async () => {
    await database.none("UPDATE zone_deletions SET expires_at = now() - interval '2 hours'");
    while ((await cleanUp(database)) > 0) await expectTalliesToHold(database);
    expect(await rowsOf(forgotten)).to.deep.equal([0, 0, 0, 0, 0, 0]);
    expect(await rowsOf(kept)).to.deep.equal([1, 2, 1, 1, 1, 1]);
    expect(await database.map('SELECT id FROM zone_identities', [], ({ id }) => id)).to.deep.equal([kept]);
    expect(await database.any('SELECT FROM retired_rules')).to.deep.equal([]);
    expect(await backends()).to.deep.equal([]);
  });
});
