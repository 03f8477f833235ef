import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OrganizationId, type Repositories, ZoneId } from '@zonewright/core';
import { type Database, migrate, openDatabase, PostgresUnitOfWork } from '@zonewright/postgres';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { runner } from 'node-pg-migrate';
import { testBoxes } from '../../postgres/test/support/postgres-storage.ts';
import { cleanUp } from './support/clean-up.ts';
import { emptyDatabase } from './support/database.ts';
import { statementsOf } from './support/previous-deletions.ts';
import { expectTalliesToHold } from './support/stored-bytes.ts';

const directory = fileURLToPath(new URL('../../postgres/migrations', import.meta.url));
const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
/** The number of migrations before deleted zones stay where they are. */
const earlier = readdirSync(directory).filter((name) => name.endsWith('.sql') && name < '0093').length;

const organization = OrganizationId.parse(1);
const uuid = (last: number) => `01900000-0000-7000-8000-${String(last).padStart(12, '0')}`;
const zoneOf = (number: number) => ZoneId.parse(uuid(number));

const tokenOf = (zone: ZoneId) => `ban_of_${zone}`;

/** A zone with two rules, two users, and texts that a conversion would change. */
const add = (database: Database, zone: ZoneId) =>
  database.none(
    `INSERT INTO zones (id, organization_id, name, name_key, tag, hostnames, ban_token, revision)
     VALUES ($(zone), 1, $(zone), $(zone), 'dev', '{a.example.com}', $(token), 5);
     INSERT INTO zone_settings (zone_id, settings) VALUES ($(zone), '{"b":  1.50, "a": "ü"}');
     INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, key_version, content, rank, revision, created_at)
     SELECT gen_random_uuid(), $(zone), 'accessRule', n, decode('00ff0' || n, 'hex'), 1, '{"x":  1e3, "ü": "\\u00fc"}',
       n / 3.0::float8, n, '2024-01-01T00:00:00.123Z'
     FROM generate_series(1, 2) AS n;
     INSERT INTO rule_lists (zone_id, kind, revision) VALUES ($(zone), 'accessRule', 7);
     INSERT INTO basic_auth_users (id, zone_id, username, username_key, comment, password_hash, revision)
     SELECT gen_random_uuid(), $(zone), 'u' || n, 'u' || n, 'ü', '$2y$10$' || n, n FROM generate_series(1, 2) AS n;
     INSERT INTO zone_revisions (zone_id, number, action, objects, patch, inverse) VALUES ($(zone), 5, 'zone.changed', '{}', '{}', '{}')`,
    { zone, token: tokenOf(zone) },
  );

/** Everything in the zone, and what has been retired, as text. */
const contentsOf = (database: Database, zone: ZoneId) =>
  database.map(
    ['zone_settings', 'rules', 'rule_lists', 'basic_auth_users', 'retired_rules']
      .map((table) => `SELECT '${table} ' || row_to_json(t)::text AS row FROM ${table} AS t WHERE zone_id = $(zone)`)
      .join(' UNION ALL ') + ' ORDER BY 1',
    { zone },
    ({ row }: { readonly row: string }) => row,
  );

const rowOf = (database: Database, zone: ZoneId) =>
  database.one('SELECT organization_id, name, tag, revision, created_at, updated_at FROM zones WHERE id = $1', zone);

const { previous } = statementsOf;

describe('migrate, on a database with copies of deleted zones,', function () {
  this.timeout(60_000);
  let database: Database;
  let unitOfWork: PostgresUnitOfWork;
  const [copied, robbed] = [zoneOf(1), zoneOf(2)];
  const original = new Map<ZoneId, readonly string[]>();
  let last = 100;

  before(async () => {
    const url = await emptyDatabase();
    const options = { databaseUrl: url, dir: directory, migrationsTable: 'schema_migrations', logger: silent };
    await runner({ ...options, direction: 'up', count: earlier, singleTransaction: true, verbose: false });
    database = openDatabase({ url, connections: 8 });
    await database.none(
      `INSERT INTO organizations (name, name_key) VALUES ('Team', 'team');
       CREATE ROLE previous_service; GRANT SELECT, INSERT, DELETE ON deleted_zones TO previous_service`,
    );
    for (const zone of [copied, robbed]) {
      await add(database, zone);
      original.set(zone, await contentsOf(database, zone));
      await database.none(previous.remove, { id: zone });
    }
    // Another zone has taken the id of a rule.
    await add(database, zoneOf(3));
    await database.none(
      `UPDATE rules SET id = (SELECT rules -> 0 ->> 'id' FROM deleted_zones WHERE id = $(robbed))::uuid
       WHERE zone_id = $(zone) AND rank < 0.5`,
      { robbed, zone: zoneOf(3) },
    );
    await migrate(url);
    unitOfWork = new PostgresUnitOfWork(database, testBoxes());
  });
  afterEach(() => expectTalliesToHold(database));
  after(async () => {
    await database?.none('DROP OWNED BY previous_service; DROP ROLE previous_service');
    await database?.$pool.end();
  });

  const done = async <T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): Promise<void> => {
    const result = await unitOfWork.run(work);
    if (result.isErr()) throw new Error(`A unit was refused: ${JSON.stringify(result.error)}`);
  };
  const by = ({ remove, revive }: Record<'remove' | 'revive', string>) => ({
    remove: (id: ZoneId) => database.none(remove, { id }),
    restore: async (id: ZoneId) => (await database.any(revive, { id })).length === 1,
  });
  const versions = {
    '1.0.0': by(statementsOf['1.0.0']),
    previous: by(previous),
    new: {
      remove: (id: ZoneId) => done(({ zones }) => zones.remove(id, undefined)),
      restore: async (id: ZoneId) =>
        (await unitOfWork.run(({ deletedZones }) => deletedZones.revive(organization, id))).isOk(),
    },
  } as const;
  const names = ['1.0.0', 'previous', 'new'] as const;

  async function aZone(): Promise<ZoneId> {
    last += 1;
    await add(database, zoneOf(last));
    return zoneOf(last);
  }
  const count = async (table: string, column: string, id: ZoneId) =>
    (await database.one<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${column} = $1`, id)).n;

  it('turns the copies back into rows, except for a rule whose id has been taken', async () => {
    expect(await contentsOf(database, copied)).to.deep.equal(original.get(copied));
    const rest = await contentsOf(database, robbed);
    expect(rest).to.have.lengthOf((original.get(robbed)?.length ?? 0) - 1);
    expect(original.get(robbed)).to.include.members([...rest]);
    for (const zone of [copied, robbed]) expect(await versions.new.restore(zone)).to.equal(true);
  });

  it('leaves the previous version its rights', async () => {
    const { privileges } = await database.one<{ privileges: readonly string[] }>(
      `SELECT array_agg(table_name || ' ' || privilege_type ORDER BY 1) AS privileges
       FROM (SELECT table_name::text, privilege_type FROM information_schema.role_table_grants WHERE grantee = 'previous_service' ORDER BY 1, 2) AS granted`,
    );
    const rights = (table: string) => ['DELETE', 'INSERT', 'SELECT'].map((right) => `${table} ${right}`);
    expect(privileges).to.have.members([...rights('deleted_zones'), ...rights('zone_deletions')]);
  });

  for (const remover of names)
    for (const restorer of names)
      it(`lets version ${restorer} restore completely what version ${remover} deletes`, async () => {
        const zone = await aZone();
        const [contents, row] = [await contentsOf(database, zone), await rowOf(database, zone)];
        await versions[remover].remove(zone);
        expect([await count('zones', 'id', zone), await count('host_names', 'zone_id', zone)]).to.deep.equal([0, 0]);
        expect(await contentsOf(database, zone)).to.deep.equal(contents);
        await expectTalliesToHold(database);
        expect(await versions[restorer].restore(zone)).to.equal(true);
        expect(await versions[restorer].restore(zone)).to.equal(false);
        expect([await contentsOf(database, zone), await rowOf(database, zone)]).to.deep.equal([contents, row]);
        const { hostnames, banToken } = await database.one(
          'SELECT hostnames, ban_token AS "banToken" FROM zones WHERE id = $1',
          zone,
        );
        expect(hostnames).to.deep.equal([remover, restorer].includes('1.0.0') ? [] : ['a.example.com']);
        expect(banToken).not.to.equal(tokenOf(zone));
        if (restorer === '1.0.0') expect(banToken).to.match(/^ban_\w{36}$/);
      });

  it('lets the previous version list and read what is deleted', async () => {
    const zone = await aZone();
    const contents = await contentsOf(database, zone);
    await versions.new.remove(zone);
    expect(await database.any(previous.list)).to.deep.equal([
      { id: zone, name: zone, tag: 'dev', revision: 5, hasTime: true },
    ]);
    const [own, ...rules] = await database.any(previous.state, { id: zone });
    const texts = ['{"b":  1.50, "a": "ü"}', '{"x":  1e3, "ü": "\\u00fc"}', '{"x":  1e3, "ü": "\\u00fc"}'];
    expect([own, ...rules].map(({ content }) => content)).to.deep.equal(texts);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(own).to.deep.include({ id: zone, bytes, listRevisions: { accessRule: 7 }, users: ['u1', 'u2'] });
    expect(await versions.previous.restore(zone)).to.equal(true);
    expect(await contentsOf(database, zone)).to.deep.equal(contents);
  });

  it('lets exactly one of twelve restorations by several versions succeed', async () => {
    const zone = await aZone();
    const contents = await contentsOf(database, zone);
    await versions.new.remove(zone);
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => versions[names[index % 3] ?? 'new'].restore(zone)),
    );
    expect(results.filter((isRestored) => isRestored)).to.have.lengthOf(1);
    expect(await contentsOf(database, zone)).to.deep.equal(contents);
  });

  it('marks no deleted zone for edges when its backend changes', async () => {
    const [present, deleted, server] = [await aZone(), await aZone(), uuid(1)];
    await database.none(
      `INSERT INTO origin_servers (id, organization_id, name, name_key, protocol, address, address_key, port)
       VALUES ($(server), 1, 'one', 'one', 'https', 'a.example', 'a.example', 443);
       UPDATE zone_settings SET settings = json_build_object('defaultBackend', json_build_object('id', $(server)))
       WHERE zone_id IN ($(present), $(deleted));
       UPDATE rules SET content = json_build_object('settingsOverrides', json_build_object('defaultBackend', json_build_object('id', $(server))))
       WHERE zone_id IN ($(present), $(deleted))`,
      { server, present, deleted },
    );
    await versions.new.remove(deleted);
    await database.none('DELETE FROM zone_publications_due; UPDATE origin_servers SET port = 80');
    expect(await database.any('SELECT zone_id AS zone FROM zone_publications_due')).to.deep.equal([{ zone: present }]);
  });

  it('lets either version clean up what has expired', async () => {
    const zones = [await aZone(), await aZone(), await aZone(), await aZone()];
    for (const [index, zone] of zones.entries()) await versions[names[index % 3] ?? 'new'].remove(zone);
    const expire = (ids: readonly ZoneId[]) =>
      database.none("UPDATE zone_deletions SET expires_at = now() - interval '2 hours' WHERE id IN ($1:csv)", [ids]);
    await expire(zones.slice(0, 2));
    expect(await database.any(previous.cleanUp)).to.have.lengthOf(2);
    await expectTalliesToHold(database);
    await expire(zones.slice(2));
    while ((await cleanUp(database)) > 0) await expectTalliesToHold(database);
    for (const zone of zones)
      expect([await count('zone_identities', 'id', zone), ...(await contentsOf(database, zone))]).to.deep.equal([0]);
  });
});
