import { OrganizationId, ZoneId } from '@zonewright/core';
import { postgresExpiry } from '@zonewright/postgres-operations';
import { expect } from 'chai';
import {
  aDeletedZone,
  anOriginServer,
  aVerifiedUser,
  aZone,
  originServersOf,
  type User,
  unique,
  type ZoneBody,
} from './support/arrange.ts';
import { expectProblem, expectSuccess, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { addressOf, routes, someOfZone } from './support/route-table.ts';
import { openService, type TestService } from './support/service.ts';
import { aBasicAuthUser, aRuleIn, historyOf, ruleListNames, tagOf } from './support/zone-contents.ts';
import { expectConsistentHistory, readZone } from './support/zone-history.ts';

const linked = { accept: 'application/ld+json' };

describe('Deleted zones', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
  });
  beforeEach(async () => {
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const organization = () => `/api/organizations/${ada.organization}`;
  const collection = () => `${organization()}/deleted-zones`;
  const deleted = ({ id }: Pick<ZoneBody, 'id'>) => `${collection()}/${id}`;
  const restore = (zone: Pick<ZoneBody, 'id'>, body?: object, headers = {}) =>
    ada.post(`${deleted(zone)}/restore`, body, headers);
  const violations = async (reply: Promise<Reply>) => {
    const refusal = await reply;
    expect(refusal.status, refusal.text).to.equal(422);
    return (refusal.json() as { violations: { propertyPath: string; code: string }[] }).violations.map(
      ({ propertyPath, code }) => `${propertyPath} ${code}`,
    );
  };

  /** A zone with one of each nested object. */
  async function aFullZone() {
    const zone = await aZone(ada, { tag: 'stage', zone_settings: { minifyHtml: true } });
    for (const list of [...ruleListNames, ...ruleListNames]) await aRuleIn(ada, zone, list);
    await aBasicAuthUser(ada, zone);
    return zone;
  }

  it('are listed, latest deletion first, and can be found by part of their name', async () => {
    const [first, second] = [await aDeletedZone(ada, { name: 'bakery' }), await aDeletedZone(ada, { tag: 'dev' })];
    const reply = await ada.get(collection());
    expect([reply.status, reply.headers.get('x-total-count')]).to.deep.equal([200, '2']);
    const items = reply.json() as readonly (ZoneBody & { deletedAt: string; expiresAt: string })[];
    expect(items.map(({ id }) => id)).to.have.members([second.id, first.id]);
    const { deletedAt, expiresAt, ...rest } = items.find(({ id }) => id === second.id) ?? expect.fail();
    expect(rest).to.deep.equal({
      id: second.id,
      name: second.name,
      tag: 'dev',
      organization: organization(),
      revision: 1,
      deletedBy: `/api/users/${ada.id}`,
    });
    expect(Date.parse(expiresAt) - Date.parse(deletedAt)).to.equal(30 * 24 * 3600 * 1000);
    expect((await ada.get(`${collection()}?q=BAKE`)).json()).to.have.lengthOf(1);
    const one = (await ada.get(deleted(first), linked)).json();
    expect(one).to.include({ '@context': '/api/contexts/DeletedZone', '@id': deleted(first), '@type': 'DeletedZone' });
  });

  it('release their name, tag and backends, and all their paths answer 404', async () => {
    const server = await anOriginServer(ada);
    const zone = await aZone(ada, { zone_settings: { defaultBackend: { type: 'origin_server', id: server.id } } });
    const ids = { 'zones/:id': zone.id, 'zones/:zoneId': zone.id, ...(await someOfZone(ada, zone)) };
    await expectSuccess(ada.delete(`/api/zones/${zone.id}`));
    for (const route of routes.filter(({ method, path }) => method === 'get' && path.startsWith('/api/zones/')))
      expectProblem(await ada.get(addressOf(route, ids)), 404, 'not-found');
    await expectSuccess(ada.delete(`${originServersOf(ada)}/${server.id}`));
    await aZone(ada, { name: zone.name });
  });

  it('are restored completely except for the ban token, as a new revision', async () => {
    const zone = await aFullZone();
    const [before, history] = [await readZone(ada, zone), await historyOf(ada, zone)];
    const users = (await ada.get(`/api/zones/${zone.id}/basic-auth-users`)).json();
    const draft = { title: 'Draft', patch: { zone_settings: { minifyHtml: false } } };
    const changeSets = `/api/zones/${zone.id}/change-sets`;
    await expectSuccess(ada.post(changeSets, draft));
    const sets = (await ada.get(changeSets)).json();
    await expectSuccess(ada.delete(`/api/zones/${zone.id}`));
    const reply = await restore(zone);
    expect(reply.status, reply.text).to.equal(200);
    const restored = reply.json() as ZoneBody & { updatedAt: string };
    const { banToken, updatedAt } = restored;
    expect(restored).to.deep.equal({ ...before, banToken, updatedAt });
    expect(banToken)
      .to.match(/^ban_\w{36}$/)
      .and.not.equal(before.banToken);
    expect(await readZone(ada, zone)).to.deep.equal(restored);
    expect(reply.headers.get('etag')).to.equal(await tagOf(ada, `/api/zones/${zone.id}`));
    expect((await ada.get(`/api/zones/${zone.id}/basic-auth-users`)).json()).to.deep.equal(users);
    expect((await ada.get(changeSets)).json()).to.deep.equal(sets);
    const [{ number, action, author } = expect.fail(), ...earlier] = await historyOf(ada, zone);
    expect({ number, action, author }).to.deep.equal({
      number: history.length + 1,
      action: 'zone.undeleted',
      author: `/api/users/${ada.id}`,
    });
    expect(earlier).to.deep.equal(history);
    await expectConsistentHistory(ada, zone);
    expectProblem(await ada.get(deleted(zone)), 404, 'not-found');
    expectProblem(await restore(zone), 404, 'not-found');
    const [{ action: recorded, objects } = expect.fail()] = (
      await ada.get(`${organization()}/audit-log?itemsPerPage=1`)
    ).json() as readonly { action: string; objects: object }[];
    expect([recorded, objects]).to.deep.equal(['zone.undeleted', { zone: zone.id }]);
  });

  it('are restored under another name or tag, which the new revision records', async () => {
    const [first, second] = [await aDeletedZone(ada), await aDeletedZone(ada)];
    await aZone(ada, { name: first.name });
    await aZone(ada, { name: second.name });
    expect(await violations(restore(first))).to.deep.equal(['name zone.name.duplicate']);
    const name = `renamed-${unique()}`;
    expect((await restore(first, { name })).json()).to.include({ id: first.id, name, tag: 'prod' });
    expect((await restore(second, { tag: 'DEV' })).json()).to.include({ name: second.name, tag: 'dev' });
    await expectConsistentHistory(ada, first);
    await expectConsistentHistory(ada, second);
  });

  it('answer 422 when a reference is missing, or omit it and report it', async () => {
    const server = await anOriginServer(ada);
    const defaultBackend = { type: 'origin_server', id: server.id };
    const zone = await aZone(ada, { zone_settings: { defaultBackend } });
    const { id } = await aRuleIn(ada, zone, 'configurationRules', { settingsOverrides: { defaultBackend } });
    await expectSuccess(ada.delete(`/api/zones/${zone.id}`));
    await expectSuccess(ada.delete(`${originServersOf(ada)}/${server.id}`));
    const [ofZone, ofRule] = [
      'zone_settings.defaultBackend',
      `configurationRules.items.${id}.settingsOverrides.defaultBackend`,
    ];
    const gone = [`${ofZone} backend.unknown`, `${ofRule} backend.unknown`];
    expect(await violations(restore(zone))).to.deep.equal(gone);
    expect(await violations(restore(zone, { missing: 'refuse' }))).to.deep.equal(gone);
    const restored = await restore(zone, { missing: 'skip' });
    const { missing, zone_settings, configurationRules } = restored.json() as ZoneBody & {
      readonly missing: unknown;
      readonly configurationRules: readonly { readonly settingsOverrides: object }[];
    };
    const part = { kind: 'backend', id: server.id, name: server.name };
    expect(missing).to.deep.equal([
      { path: ofZone, ...part, effect: 'kept' },
      { path: ofRule, ...part, effect: 'leftOut' },
    ]);
    expect(zone_settings).to.not.have.property('defaultBackend');
    expect(configurationRules.map(({ settingsOverrides }) => settingsOverrides)).to.deep.equal([{}]);
    await expectConsistentHistory(ada, zone);
  });

  it('answer with an empty list when nothing is missing, and without one unless requested', async () => {
    const [first, second] = [await aDeletedZone(ada), await aDeletedZone(ada)];
    expect((await restore(first, { missing: 'skip' })).json()).to.deep.include({ missing: [] });
    expect((await restore(second, {})).json()).to.not.have.property('missing');
  });

  it('answer 422 when a limit is reached, and to an invalid body', async () => {
    const zone = await aDeletedZone(ada);
    expect(await violations(restore(zone, { missing: 'ask', other: 1 }))).to.have.members([
      'missing value.choice',
      'other member.unknown',
    ]);
    service.inTables(({ zones }) => {
      const [row] = [...zones.values()];
      for (let count = 0; count < 500; count += 1) {
        const id = ZoneId.parse(`00000000-0000-4000-8000-${String(count).padStart(12, '0')}`);
        zones.set(id, { ...(row ?? expect.fail()), id, organizationId: OrganizationId.parse(ada.organization) });
      }
    });
    expect(await violations(restore(zone))).to.deep.equal([' organization.zones.limit']);
    service.inTables(({ zones }) => zones.clear());
  });

  it('answer 412 to a stale tag, and replay the response for the same key', async () => {
    const zone = await aDeletedZone(ada);
    expectProblem(await restore(zone, {}, { 'if-match': '"other"' }), 412, 'precondition-failed');
    const headers = { 'if-match': await tagOf(ada, deleted(zone)), 'idempotency-key': 'restore-once' };
    const first = await restore(zone, {}, headers);
    expect(first.status, first.text).to.equal(200);
    const again = await restore(zone, {}, headers);
    expect([again.status, again.text]).to.deep.equal([200, first.text]);
  });
});

describe('Deleted zones in the database', () => {
  let service: TestService;
  let ada: User;
  before(async () => {
    service = await openService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const restore = ({ id }: Pick<ZoneBody, 'id'>) =>
    ada.post(`/api/organizations/${ada.organization}/deleted-zones/${id}/restore`);
  const count = async (table: string, column: string, id: string) =>
    (await service.database.one<{ count: number }>(`SELECT count(*)::int FROM ${table} WHERE ${column} = $1`, [id]))
      .count;

  it('are restored with passwords and evaluations, but another ban token, although their states are cached', async () => {
    const zone = await aZone(ada);
    const { id } = await aBasicAuthUser(ada, zone);
    const password = () =>
      service.database.one<{ hash: string }>('SELECT password_hash AS hash FROM basic_auth_users WHERE id = $1', [id]);
    const [zoneBefore, passwordBefore] = [await readZone(ada, zone), await password()];
    const changeSets = `/api/zones/${zone.id}/change-sets`;
    await ada.post(changeSets, { title: 'Draft', patch: { zone_settings: { minifyHtml: true } } });
    expect((await ada.delete(`/api/zones/${zone.id}`)).status).to.equal(204);
    expect((await ada.get(`/api/zones/${zone.id}`)).status).to.equal(404);
    expect((await restore(zone)).status).to.equal(200);
    const after = await readZone(ada, zone);
    expect((await ada.get(changeSets)).json()).to.have.lengthOf(1);
    const { banToken, updatedAt } = after;
    expect([after, await password()]).to.deep.equal([{ ...zoneBefore, banToken, updatedAt }, passwordBefore]);
    expect(banToken).not.to.equal(zone.banToken);
    const evaluation = await ada.get(`/api/zones/${zone.id}/evaluation?url=https://shop.example.com/`);
    expect(evaluation.json()).to.include({ revision: 3 });
  });

  it('are deleted for good after 30 days, in batches, and so are those of a deleted organization', async () => {
    const expired = await aDeletedZone(ada);
    const young = await aDeletedZone(ada);
    const made = (await ada.post('/api/organizations', { name: 'Team' })).json() as { readonly id: number };
    const inside = await aZone(ada, { organization: made.id });
    for (const path of [`/api/zones/${inside.id}`, `/api/organizations/${made.id}`])
      expect((await ada.delete(path)).status).to.equal(204);
    await service.database.none(
      `UPDATE zone_deletions SET expires_at = now() - interval '2 hours' WHERE id = $1;
       INSERT INTO zone_revisions (zone_id, number, action, objects, patch, inverse)
       SELECT $1, number, 'zone.changed', '{}', '{}', '{}' FROM generate_series(2, 2500) AS number`,
      [expired.id],
    );
    expect((await restore(expired)).status).to.equal(404);
    const revisions = () => count('zone_revisions', 'zone_id', expired.id);
    await postgresExpiry(service.database).removeExpired();
    expect(await revisions()).to.be.within(1499, 1501);
    while ((await postgresExpiry(service.database).removeExpired()) > 0);
    for (const { id } of [expired, inside])
      for (const [table, column] of [
        ['zone_revisions', 'zone_id'],
        ['zone_settings', 'zone_id'],
        ['zone_identities', 'id'],
      ] as const)
        expect(await count(table, column, id), table).to.equal(0);
    expect(await count('zone_revisions', 'zone_id', young.id)).to.equal(1);
    expect((await restore(young)).status).to.equal(200);
  });
});
