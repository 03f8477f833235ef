import {
  OrganizationId,
  type SessionCaller,
  SessionId,
  UserId,
  unreadableBanToken,
  useCases,
  ZoneDraft,
  type ZoneId,
  ZoneRestoration,
} from '@zonewright/core';
import { comparableSecretBox, nodeRandomness } from '@zonewright/crypto';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { type Database, keyUses, openDatabase, PostgresUnitOfWork, resealBanTokens } from '../src/index.ts';
import { banTokenColumns } from '../src/zones/ban-tokens.ts';
import { migratedDatabase } from './support/database.ts';
import { testBoxes } from './support/postgres-storage.ts';

const user = UserId.parse('01900000-0000-7000-8000-000000000001');
const organization = OrganizationId.parse(1);
const caller: SessionCaller = {
  userId: user,
  credential: {
    kind: 'session',
    id: SessionId.parse('01900000-0000-7000-8000-000000000002'),
    provider: undefined,
    confirmed: true,
    confirmableBy: ['password'],
  },
  memberships: new Map([[organization, { role: 'owner', needsTwoFactor: false }]]),
  client: { network: undefined, userAgent: undefined },
};
const owner = `
  INSERT INTO users (id, email, email_key, first_name, last_name) VALUES ('${user}', 'a@example.org', 'a@example.org', 'A', 'L');
  INSERT INTO organizations (name, name_key) VALUES ('Team', 'team');
  INSERT INTO memberships (organization_id, user_id, role) VALUES (1, '${user}', 'owner')`;

const boxOf = (current: string, ...kids: readonly string[]) =>
  comparableSecretBox({ current, keys: new Map(kids.map((kid) => [kid, new Uint8Array(32).fill(kid.charCodeAt(0))])) });

const newKey = new Uint8Array(32).fill(77);
/** Has the key of the tests, too. */
const withNewKey = comparableSecretBox({
  current: 'new',
  keys: new Map([
    ['test', new Uint8Array(32).fill(9)],
    ['new', newKey],
  ]),
});

async function valueOf<T>(pending: ResultAsync<T, unknown>): Promise<T> {
  const result = await pending;
  if (result.isErr()) throw new Error(`A call was refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** Every value of every table, as a dump would contain it. */
async function everythingIn(database: Database): Promise<string> {
  const tables = await database.map<string>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    [],
    ({ name }) => name,
  );
  const rows = tables.map((table) => database.map(`SELECT t::text AS row FROM ${table} AS t`, [], ({ row }) => row));
  return (await Promise.all(rows)).flat().join('\n');
}

describe('Ban tokens in the database', function () {
  this.timeout(60_000);
  let database: Database;
  before(async () => {
    database = openDatabase({ url: await migratedDatabase() });
    await database.none(owner);
  });
  beforeEach(() => database.none('DELETE FROM zones'));
  after(() => database.$pool.end());

  const casesWith = (banTokens = testBoxes().banTokens) =>
    useCases({
      unitOfWork: new PostgresUnitOfWork(database, { ...testBoxes(), banTokens }),
      randomness: nodeRandomness(),
    });
  const { createZone, rotateBanToken, deleteZone, restoreDeletedZone } = {
    createZone: (name: string) => valueOf(casesWith().createZone(caller, ZoneDraft.parse({ name }))),
    rotateBanToken: (id: ZoneId) => valueOf(casesWith().rotateBanToken(caller, id, undefined)),
    deleteZone: (id: ZoneId) => valueOf(casesWith().deleteZone(caller, id, undefined)),
    restoreDeletedZone: (id: ZoneId) =>
      valueOf(casesWith().restoreDeletedZone(caller, organization, id, ZoneRestoration.parse({}), undefined)),
  };
  const tokenOf = async (id: ZoneId, box = testBoxes().banTokens) =>
    (await valueOf(casesWith(box).readZone(caller, id))).zone.banToken;
  const copySealed = (from: ZoneId, to: ZoneId) =>
    database.none(
      'UPDATE zones SET sealed_ban_token = (SELECT sealed_ban_token FROM zones WHERE id = $1) WHERE id = $2',
      [from, to],
    );
  const expectNone = async (tokens: readonly string[]) => {
    const everything = await everythingIn(database);
    expect(everything).to.include('v1.test.');
    for (const token of tokens) expect(everything).not.to.include(token);
  };

  it('are never in plain text: of a zone that is created, rotated, deleted and restored', async () => {
    const zone = await createZone('plain');
    const tokens = [zone.banToken];
    await expectNone(tokens);
    tokens.push((await rotateBanToken(zone.id)).banToken);
    await expectNone(tokens);
    await deleteZone(zone.id);
    const gone = await everythingIn(database);
    for (const token of tokens) expect(gone).not.to.include(token);
    await restoreDeletedZone(zone.id);
    tokens.push(await tokenOf(zone.id));
    await expectNone(tokens);
    expect(new Set(tokens).size).to.equal(3);
  });

  it('are unique, although each is encrypted with another nonce', async () => {
    const { id, banToken } = await createZone('first');
    const { id: other } = await createZone('second');
    const columns = { banTokenHash: testBoxes().banTokens.hash(banToken), zone: other };
    const copy = database.none('UPDATE zones SET ban_token_hash = ${banTokenHash} WHERE id = ${zone}', columns);
    expect(await copy.catch((failure) => failure)).to.include({ constraint: 'zones_ban_token_unique' });
    expect(await tokenOf(id)).to.equal(banToken);
  });

  it('do not decrypt in another row or without their key, but can be rotated', async () => {
    const [one, other] = [await createZone('one'), await createZone('other')];
    expect(await tokenOf(one.id, boxOf('z', 'z'))).to.equal(unreadableBanToken);
    await copySealed(one.id, other.id);
    expect(await tokenOf(other.id)).to.equal(unreadableBanToken);
    const { banToken } = await rotateBanToken(other.id);
    expect(await tokenOf(other.id)).to.equal(banToken);
    expect(await tokenOf(one.id)).to.equal(one.banToken);
  });

  it('are re-encrypted with the current key, so that the old one can be removed', async () => {
    const [one, other] = [await createZone('one'), await createZone('other')];
    await copySealed(one.id, (await createZone('unreadable')).id);
    expect((await keyUses(database, 'test')).banTokens).to.equal(3);
    expect(await resealBanTokens(database, withNewKey)).to.equal(2);
    expect(await resealBanTokens(database, withNewKey)).to.equal(0);
    expect((await keyUses(database, 'test')).banTokens).to.equal(1);
    const alone = comparableSecretBox({ current: 'new', keys: new Map([['new', newKey]]) });
    expect([await tokenOf(one.id, alone), await tokenOf(other.id, alone)]).to.deep.equal([
      one.banToken,
      other.banToken,
    ]);
    const { hash } = await database.one<{ hash: string }>(
      'SELECT ban_token_hash AS hash FROM zones WHERE id = $1',
      one.id,
    );
    expect(hash).to.equal(alone.hash(one.banToken));
  });

  it('stay in force when they are rotated while the former one is re-encrypted', async () => {
    const { id } = await createZone('late');
    const { banTokens } = testBoxes();
    const latest = { ...banTokenColumns(banTokens, id, 'ban_latest'), id };
    const renewing = await database.tx(async (rotation) => {
      await rotation.none(
        'UPDATE zones SET ban_token_hash = ${banTokenHash}, sealed_ban_token = ${sealedBanToken} WHERE id = ${id}',
        latest,
      );
      const started = resealBanTokens(database, withNewKey);
      await untilWaiting();
      return { started };
    });
    expect(await renewing.started).to.equal(0);
    expect(await tokenOf(id)).to.equal('ban_latest');
  });
  const untilWaiting = async (): Promise<void> => {
    const { waiting } = await database.one<{ waiting: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waiting`,
    );
    if (!waiting) await untilWaiting();
  };
});
