import {
  type OwnZoneFilter,
  type PageRequest,
  type PlausibleCredential,
  roles,
  SessionId,
  UserId,
  ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, errAsync } from 'neverthrow';
import { type Database, openDatabase, PostgresUnitOfWork } from '../src/index.ts';
import { zoneList } from '../src/zone-list-statement.ts';
import { testDatabase } from './support/database.ts';
import { testBoxes } from './support/postgres-storage.ts';

const userId = UserId.parse('01900000-0000-7000-8000-000000000001');
const sessionId = SessionId.parse('01900000-0000-7000-8000-000000000002');
const credential: PlausibleCredential = { kind: 'session', userId, sessionId };
const zones = [3, 4].map((digit) => ZoneId.parse(`01900000-0000-7000-8000-00000000000${digit}`)) as [ZoneId, ZoneId];
const filter: OwnZoneFilter = { roles, organization: undefined, tags: [], search: undefined };
const firstPage: PageRequest = { page: 1, itemsPerPage: 10 };

const rename = (id: ZoneId, name: string) => ({
  text: 'UPDATE zones SET name = $1, name_key = $1, revision = revision + 1 WHERE id = $2',
  values: [name, id],
});

describe('Pages of zones that have been read before', function () {
  this.timeout(30_000);
  let database: Database;
  let unitOfWork: PostgresUnitOfWork;

  before(async () => {
    database = openDatabase({ url: await testDatabase() });
    unitOfWork = new PostgresUnitOfWork(database, testBoxes());
    await database.none(
      `INSERT INTO users (id, email, email_key, password_hash, first_name, last_name, email_verified_at)
       VALUES ($(userId), 'a@b.c', 'a@b.c', '', 'A', 'B', now());
       INSERT INTO sessions (id, user_id, methods, expires_at)
       VALUES ($(sessionId), $(userId), '{pwd}', now() + interval '1 day');
       INSERT INTO organizations (id, name, name_key) OVERRIDING SYSTEM VALUE VALUES (1, 'Own', 'own');
       INSERT INTO memberships (organization_id, user_id, role) VALUES (1, $(userId), 'owner')`,
      { userId, sessionId },
    );
  });
  beforeEach(async () => {
    await database.none('DELETE FROM zones; DELETE FROM zone_change_marks');
    for (const id of zones) await add(id);
  });
  after(() => database?.$pool.end());

  const add = (id: ZoneId) =>
    database.none(
      `INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token) VALUES ($1, 1, $1, $1, 'prod', $1);
       INSERT INTO zone_settings (zone_id, settings) VALUES ($1, '{}')`,
      [id],
    );
  const listed = async (): Promise<readonly string[]> => {
    const page = await unitOfWork.view(({ ownZones }) =>
      ownZones
        .states(credential, filter, [{ key: 'name', direction: 'asc' }], firstPage)
        .andThen(({ found }) => ownZones.read(found.states)),
    );
    return page.unwrapOr([]).map(({ name }) => name);
  };
  const marks = () => database.one<{ count: number }>('SELECT count(*)::int FROM zone_change_marks');

  it('are read again when an earlier transaction commits after a later one', async () => {
    await database.tx(async (earlier) => {
      await earlier.none(rename(zones[0], 'a'));
      await database.none(rename(zones[1], 'b'));
      expect(await listed()).to.deep.equal([zones[0], 'b']);
    });
    expect(await listed()).to.deep.equal(['a', 'b']);
  });

  it('are read again after a change that was made while another one was open', async () => {
    await database.tx(async (open) => {
      await open.none(rename(zones[0], 'a'));
      expect(await listed()).to.deep.equal([...zones]);
      await database.none(rename(zones[1], 'b'));
      expect(await listed()).to.deep.equal([zones[0], 'b']);
    });
    expect(await listed()).to.deep.equal(['a', 'b']);
  });

  it('never show what a transaction read of its own changes and rolled back', async () => {
    expect(await listed()).to.deep.equal([...zones]);
    const undone = await unitOfWork.atomically(() =>
      unitOfWork
        .run(({ zones: stored }) => stored.remove(zones[0], undefined))
        .map(listed)
        .andThen((shown) => errAsync(shown)),
    );
    expect(undone).to.deep.equal(err([zones[1]]));
    expect(await listed()).to.deep.equal([...zones]);
  });

  it('are read again once the tables have been restored', async () => {
    await listed();
    const kept = await database.any('SELECT organization_id, changed_by::text FROM zone_change_marks');
    await database.tx(async (restoring) => {
      // A restore creates triggers last.
      await restoring.none('SET LOCAL session_replication_role = replica; TRUNCATE zone_change_marks');
      await restoring.none(rename(zones[0], 'restored'));
      for (const mark of kept) {
        await restoring.none(
          'INSERT INTO zone_change_marks (organization_id, changed_by) VALUES ($(organization_id), $(changed_by))',
          mark,
        );
      }
    });
    expect(await listed()).to.deep.equal([zones[1], 'restored']);
  });

  it('are found current only on the server and for the memberships they were read for', async () => {
    const shape = { sort: [], byTag: false, bySearch: false, byOrganization: false };
    const given = { ...credential, roles, tags: [], pattern: '', limit: 10, offset: 0 };
    const ask = (earlier: { readonly basis: string | null; readonly snapshot: string | null }) =>
      database.one(zoneList({ caller: 'session', ...shape }).prepared({ ...given, ...earlier }));
    const { basis, snapshot, states } = await ask({ basis: null, snapshot: null });
    const { start } = await database.one('SELECT extract(epoch FROM pg_postmaster_start_time())::text AS start');
    expect(basis.split(' ')[0]).to.equal(start);
    expect(await ask({ basis, snapshot })).to.include({ states: null, totalItems: null });
    for (const other of [basis.replace(/^\S+/, '1.5'), basis.replace('owner', 'viewer')]) {
      expect(await ask({ basis: other, snapshot })).to.include({ states, totalItems: 2 });
    }
  });

  it('do not make writers wait for each other', async () => {
    await database.tx(async (open) => {
      await open.none(rename(zones[0], 'a'));
      await open.none(rename(zones[0], 'a again'));
      await database.none(rename(zones[1], 'b'));
    });
    expect(await marks()).to.deep.equal({ count: 2 });
    await database.none(rename(zones[0], 'a'));
    expect(await marks()).to.deep.equal({ count: 2 });
  });
});
