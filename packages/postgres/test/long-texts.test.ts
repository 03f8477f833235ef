import {
  ChangeSetId,
  defaultZoneSettings,
  type MemoryReservation,
  maxPageTextBytes,
  OrganizationId,
  type PlausibleCredential,
  PromotionId,
  type Repositories,
  SessionId,
  type StorageSession,
  type Subject,
  UserId,
  ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { type Database, openDatabase, PostgresUnitOfWork } from '../src/index.ts';
import { migratedDatabase } from './support/database.ts';
import { testBoxes } from './support/postgres-storage.ts';

const userId = UserId.parse('01900000-0000-7000-8000-000000000001');
const sessionId = SessionId.parse('01900000-0000-7000-8000-000000000002');
const credential: PlausibleCredential = { kind: 'session', userId, sessionId };
const okOf = async <T, E>(work: ResultAsync<T, E>): Promise<T> =>
  (await work).match(
    (value) => value,
    (error) => expect.fail(JSON.stringify(error)),
  );
/** Two small zones and two with 900 kB of pages; the last one also has 900 kB of rules. */
const zones = [3, 4, 5, 6].map((digit) => ZoneId.parse(`01900000-0000-7000-8000-00000000000${digit}`));
const [small, , , large] = zones as [ZoneId, ZoneId, ZoneId, ZoneId];
const query = { organization: undefined, tags: [], search: undefined, sort: [], page: 1, itemsPerPage: 10 } as const;

describe('Long texts', function () {
  this.timeout(30_000);
  let database: Database;
  let refuses = false;
  let reserved: [user: UserId, bytes: number][] = [];
  const memory: MemoryReservation = {
    reserve: (user, bytes) => {
      reserved.push([user, bytes]);
      return refuses ? Promise.reject(new Error('full')) : Promise.resolve();
    },
  };

  before(async () => {
    database = openDatabase({ url: await migratedDatabase() });
    await database.none(
      `INSERT INTO users (id, email, email_key, password_hash, first_name, last_name, email_verified_at)
       VALUES ($(userId), 'a@b.c', 'a@b.c', '', 'A', 'B', now());
       INSERT INTO sessions (id, user_id, methods, expires_at)
       VALUES ($(sessionId), $(userId), '{pwd}', now() + interval '1 day');
       INSERT INTO organizations (id, name, name_key) OVERRIDING SYSTEM VALUE VALUES (1, 'Own', 'own');
       INSERT INTO memberships (organization_id, user_id, role) VALUES (1, $(userId), 'owner')`,
      { userId, sessionId },
    );
    for (const [index, id] of zones.entries()) {
      const settings = { ...defaultZoneSettings, customPagesErrorHtml: index < 2 ? null : 'x'.repeat(900_000) };
      await database.none(
        `INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash) VALUES ($1, 1, $1, $1, 'prod', $1);
         INSERT INTO zone_settings (zone_id, settings) VALUES ($1, $2)`,
        [id, JSON.stringify(settings)],
      );
    }
    await database.none(
      `INSERT INTO rules (id, zone_id, kind, content, rank, name_key)
       SELECT gen_random_uuid(), $1, 'configurationRule', json_build_object('name', n, 'text', repeat('x', 90000)), n, n
       FROM generate_series(1, 20) AS n`,
      [large],
    );
  });
  beforeEach(() => {
    refuses = false;
    reserved = [];
  });
  after(() => database?.$pool.end());

  /** A session with an empty cache. */
  const session = (subject: Subject): StorageSession =>
    new PostgresUnitOfWork(database, testBoxes()).session(credential, subject, { memory });
  const whole = async (id: ZoneId) => {
    const opened = session({ kind: 'zone', id });
    await opened.caller();
    return okOf(opened.view(({ zones }) => zones.state(id)));
  };
  const listed = async (itemsPerPage: number) => {
    const opened = session({ kind: 'zone list', query });
    await opened.caller();
    const filter = { organizations: [1 as never], tags: [], search: undefined };
    const page = opened.view(({ zones }) => zones.list(filter, [], { page: 1, itemsPerPage }));
    return (await okOf(page)).items;
  };
  const rules = async () => {
    const opened = session({ kind: 'zone', id: large });
    await opened.caller();
    const list = { zone: large, kind: 'configurationRule' } as const;
    return okOf(opened.view((on) => on.rules.list(list, [], { page: 1, itemsPerPage: 20 })));
  };
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ message }: Error) => message,
    );

  it('are read at once while they are short', async () => {
    expect((await whole(small)).zone.id).to.equal(small);
    expect(reserved).to.deep.equal([]);
  });

  it('of a zone are measured, and read only within reserved memory', async () => {
    const { rules: read } = await whole(large);
    expect(read.configurationRule).to.have.length(20);
    expect(reserved.map(([user]) => user)).to.deep.equal([userId]);
    expect(reserved[0]?.[1]).to.be.within(3 * 2_700_000, 3 * 2_710_000);
    refuses = true;
    expect(await failureOf(whole(large))).to.equal('full');
  });

  it('of a zone to be changed are reserved before the caller is even known', async () => {
    const subject = { kind: 'zone change', id: large } as const;
    expect((await session(subject).caller()).isOk()).to.equal(true);
    expect(reserved.map(([user]) => user)).to.deep.equal([userId]);
    refuses = true;
    expect(await failureOf(Promise.resolve(session(subject).caller()))).to.equal('full');
  });

  it('of lists are measured, too', async () => {
    expect(await listed(10)).to.have.length(4);
    expect(reserved).to.have.length(1);
    expect(reserved[0]?.[1]).to.be.within(3 * 1_800_000, 3 * 1_850_000);
    expect((await rules()).items).to.have.length(20);
    expect(reserved).to.have.length(2);
    refuses = true;
    expect(await failureOf(listed(10))).to.equal('full');
    expect(await failureOf(rules())).to.equal('full');
    expect(maxPageTextBytes).to.be.above(1_800_000);
  });

  /** Of `bytes` each: two revisions, one of which is restored, two drafts, a promotion and a deleted zone. */
  async function storeLongTexts(zone: ZoneId, bytes: number) {
    const ids = [7, 8, 9].map((digit) => `01900000-0000-7000-8000-00000000000${digit}`);
    const [first, second, gone] = ids;
    const values = { zone, first, second, gone, bytes, deleted: zones[1] };
    await database.none(
      `INSERT INTO zone_revisions (zone_id, number, action, objects, inverse, snapshot, patch)
       SELECT $(zone), n, 'zone.changed', '{}', '{}', CASE n WHEN 1 THEN long END, CASE n WHEN 2 THEN long END
       FROM generate_series(1, 2) AS n, json_build_object('name', repeat('x', $(bytes))) AS long;
       INSERT INTO zone_revisions (zone_id, number, action, objects, inverse, contents_from, rest_from)
       VALUES ($(zone), 3, 'zone.restored', '{}', '{}', 1, 2);
       INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, created_at, updated_at, ends_at)
       SELECT id::uuid, $(zone), '', '', '', 1, json_build_object('name', repeat('x', $(bytes))), now(), now(), now() + interval '1 day'
       FROM unnest(ARRAY[$(first), $(second)]) AS id;
       INSERT INTO promotions (id, zone_id, change_set_id, source_id, from_revision, to_revision, request, report,
         created_at)
       VALUES ($(first), $(zone), $(first), $(zone), 1, 1, '', json_build_object('name', repeat('x', $(bytes))),
         now());
       INSERT INTO zone_identities (id, organization_id) VALUES ($(gone), 1);
       INSERT INTO zone_deletions (id, organization_id, name, tag, hostnames, created_at, updated_at, revision, search_key, expires_at)
       VALUES ($(gone), 1, '', 'prod', '{}', now(), now(), 1, '', now() + interval '1 day');
       INSERT INTO zone_settings (zone_id, settings) VALUES ($(gone), json_build_object('name', repeat('x', $(bytes))))`,
      values,
    );
    return {
      sets: [ChangeSetId.parse(first), ChangeSetId.parse(second)] as const,
      promotion: PromotionId.parse(first),
      gone: ZoneId.parse(gone),
    };
  }

  it('of histories, drafts, promotions and deleted zones are measured, too', async () => {
    const bytes = 1_100_000;
    const { sets, promotion, gone } = await storeLongTexts(small, bytes);
    const reads: readonly [string, number, (on: Repositories) => ResultAsync<unknown, unknown>][] = [
      ['the state of a revision', 1, ({ history }) => history.trail(small, 1)],
      ['what several revisions have', 2, ({ history }) => history.trail(small, 3)],
      ['a draft', 1, ({ changeSets }) => changeSets.byId(small, sets[0])],
      ['drafts', 2, ({ changeSets }) => changeSets.byIds(small, sets)],
      ['a promotion', 1, ({ promotions }) => promotions.byId(small, promotion)],
      ['a deleted zone', 1, ({ deletedZones }) => deletedZones.state(OrganizationId.parse(1), gone)],
    ];
    for (const [what, texts, read] of reads) {
      [refuses, reserved] = [false, []];
      const opened = session({ kind: 'zone', id: small });
      await opened.caller();
      expect(JSON.stringify(await okOf(opened.view(read))).length, what).to.be.greaterThan(texts * bytes);
      expect(reserved, what).to.have.length(1);
      expect(reserved[0]?.[1], what).to.be.within(3 * texts * bytes, 3 * (texts * bytes + 1000));
      refuses = true;
      expect(await failureOf(Promise.resolve(opened.view(read))), what).to.equal('full');
    }
  });

  it('are read without asking in units that write', async () => {
    const opened = session({ kind: 'zone', id: large });
    await opened.caller();
    const state = await okOf(opened.run(({ zones }) => zones.state(large)));
    expect(state.rules.configurationRule).to.have.length(20);
    expect(reserved).to.deep.equal([]);
  });
});
