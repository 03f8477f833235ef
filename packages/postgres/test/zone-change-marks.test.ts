import {
  type ListZonesQuery,
  openOrganizations,
  type PlausibleCredential,
  roles,
  SessionId,
  UserId,
  ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync } from 'neverthrow';
import { type Database, openDatabase, PostgresUnitOfWork } from '../src/index.ts';
import { credentialValues } from '../src/session/callers.ts';
import { zoneListStatement } from '../src/zones/zone-list-statement.ts';
import { migratedDatabase } from './support/database.ts';
import { testBoxes } from './support/postgres-storage.ts';

const userId = UserId.parse('01900000-0000-7000-8000-000000000001');
const sessionId = SessionId.parse('01900000-0000-7000-8000-000000000002');
const credential: PlausibleCredential = { kind: 'session', userId, sessionId };
const zones = [3, 4].map((digit) => ZoneId.parse(`01900000-0000-7000-8000-00000000000${digit}`)) as [ZoneId, ZoneId];
const query: ListZonesQuery = {
  organization: undefined,
  tags: [],
  search: undefined,
  sort: [{ key: 'name', direction: 'asc' }],
  page: 1,
  itemsPerPage: 10,
};

const rename = (id: ZoneId, name: string) => ({
  text: 'UPDATE zones SET name = $1, name_key = $1, revision = revision + 1 WHERE id = $2',
  values: [name, id],
});

describe('Pages of zones that have been read before', function () {
  this.timeout(30_000);
  let database: Database;
  let unitOfWork: PostgresUnitOfWork;

  before(async () => {
    database = openDatabase({ url: await migratedDatabase() });
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
    await database.none('DELETE FROM zones; DELETE FROM zone_identities; DELETE FROM zone_change_marks');
    for (const id of zones) await add(id);
  });
  after(() => database?.$pool.end());

  const add = (id: ZoneId) =>
    database.none(
      `INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash) VALUES ($1, 1, $1, $1, 'prod', $1);
       INSERT INTO zone_settings (zone_id, settings) VALUES ($1, '{}')`,
      [id],
    );
  const listed = async (by = credential): Promise<readonly string[]> => {
    const session = unitOfWork.session(by, { kind: 'zone list', query });
    const page = await session.caller().andThen((caller) => {
      const { tags, search, sort, ...wholeList } = query;
      const filter = { organizations: openOrganizations(caller), tags, search };
      return session.view(({ zones }) => zones.list(filter, sort, wholeList));
    });
    return page.unwrapOr({ items: [], totalItems: 0 }).items.map(({ name }) => name);
  };
  const marks = () => database.one<{ count: number }>('SELECT count(*)::int FROM zone_change_marks');

  it('are read again after a change that was made while another one was open', async () => {
    await database.tx(async (open) => {
      await open.none(rename(zones[0], 'a'));
      expect(await listed()).to.deep.equal(zones);
      await database.none(rename(zones[1], 'b'));
      expect(await listed()).to.deep.equal([zones[0], 'b']);
    });
    expect(await listed()).to.deep.equal(['a', 'b']);
  });

  for (const [ending, end] of [
    ['committed', () => okAsync([])],
    ['rolled back', () => errAsync(zones)],
  ] as const) {
    it(`never show what a transaction read of its own changes, if it changed more and was ${ending}`, async () => {
      expect(await listed()).to.deep.equal(zones);
      const remove = (id: ZoneId) => unitOfWork.run(({ zones: stored }) => stored.remove(id, undefined));
      const result = await unitOfWork.atomically(() =>
        remove(zones[0])
          .map(() => listed())
          .andThrough(() => remove(zones[1]))
          .andThen((shown) => {
            expect(shown).to.deep.equal([zones[1]]);
            return end();
          }),
      );
      const left = result.match<readonly ZoneId[]>(
        (none) => none,
        (all) => all,
      );
      expect(await listed()).to.deep.equal(left);
    });
  }

  it('are read again in a database that has lost later changes', async () => {
    const marked = () => database.any('SELECT * FROM zone_change_marks');
    const before = await marked();
    await database.none(rename(zones[0], 'lost'));
    expect(await listed()).to.deep.equal([zones[1], 'lost']);
    await database.tx(async (restoring) => {
      await restoring.none('SET LOCAL session_replication_role = replica; DELETE FROM zone_change_marks');
      await restoring.none(rename(zones[0], 'kept'));
      for (const mark of before) {
        await restoring.none(
          `INSERT INTO zone_change_marks OVERRIDING SYSTEM VALUE
           VALUES ($(id), $(organization_id), $(mark), $(changed_by), $(changed_at))`,
          mark,
        );
      }
    });
    expect(await listed()).to.deep.equal([zones[1], 'kept']);
  });

  it('are read again after a change by a transaction with the number of an earlier one', async () => {
    await database.none('UPDATE zone_change_marks SET changed_at = now()');
    await listed();
    await database.tx(async (restored) => {
      await restored.none('UPDATE zone_change_marks SET changed_by = pg_current_xact_id()');
      await restored.none(rename(zones[0], 'a'));
    });
    expect(await listed()).to.deep.equal([zones[1], 'a']);
  });

  it('are read again when their organization has left, and has come back without zones', async () => {
    const rows = () =>
      database.one('SELECT * FROM organizations AS o JOIN memberships AS m ON m.organization_id = o.id');
    expect(await listed()).to.deep.equal(zones);
    const own = await rows();
    await database.none('DELETE FROM zones; DELETE FROM organizations');
    await database.none(
      `INSERT INTO organizations (id, name, name_key) OVERRIDING SYSTEM VALUE VALUES ($(id), $(name), $(name_key));
       INSERT INTO memberships (organization_id, user_id, role) VALUES ($(id), $(user_id), $(role))`,
      own,
    );
    expect(await listed()).to.deep.equal([]);
  });

  it('are found current only for the memberships they were read for, even without zones', async () => {
    await database.none('DELETE FROM zones; DELETE FROM zone_change_marks');
    const statement = zoneListStatement({ sort: [], byTag: false, bySearch: false, byHostName: false });
    const page = { tags: [], limit: 10, offset: 0 };
    const given = {
      ...credentialValues(credential),
      roles,
      organization: null,
      organizations: [],
      zones: null,
      ...page,
    };
    const ask = (basis: string | null) => database.one(statement.prepared({ ...given, basis }));
    const { basis } = await ask(null);
    expect(await ask(basis)).to.include({ versions: null, totalItems: null, basis: null });
    const changes = [
      "memberships SET role = 'viewer'",
      "memberships SET role = 'owner'",
      'organizations SET enforce_two_factor = true',
    ];
    let latest = basis;
    for (const change of changes) {
      await database.none(`UPDATE ${change}`);
      const { basis: other, totalItems } = await ask(latest);
      expect(totalItems).to.equal(0);
      latest = other;
    }
    await database.none('UPDATE organizations SET enforce_two_factor = false');
  });

  it('are not shown to another session of the user, which does not come from the required provider', async () => {
    const another = SessionId.parse('01900000-0000-7000-8000-000000000005');
    await database.none(
      `INSERT INTO sessions (id, user_id, methods, expires_at, provider)
       VALUES ($(another), $(userId), '{pwd}', now() + interval '1 day', 'company')`,
      { another, userId },
    );
    await database.none("UPDATE organizations SET required_provider = 'company'");
    const byProvider: PlausibleCredential = { kind: 'session', userId, sessionId: another };
    for (let time = 1; time <= 2; time += 1) {
      expect(await listed(byProvider)).to.deep.equal(zones);
      expect(await listed()).to.deep.equal([]);
    }
    await database.none('UPDATE organizations SET required_provider = NULL');
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

  it('leave as many marks as transactions have changed zones at the same time', async () => {
    await database.tx(async (longer) => {
      await database.tx(async (shorter) => {
        await shorter.none(rename(zones[1], 'b'));
        await longer.none(rename(zones[0], 'a'));
      });
      await longer.none(rename(zones[0], 'a again'));
      await database.none(rename(zones[1], 'b again'));
    });
    expect(await marks()).to.deep.equal({ count: 2 });
  });
});
