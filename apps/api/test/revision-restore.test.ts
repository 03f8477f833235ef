import { expect } from 'chai';
import {
  aMember,
  anApiToken,
  anOriginServer,
  aVerifiedUser,
  aZone,
  type User,
  type ZoneBody,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem, type Reply, statusCounts } from './support/client.ts';
import { openService, type TestService } from './support/service.ts';
import {
  type AnyRuleBody,
  aBasicAuthUser,
  aRuleIn,
  basicAuthUsersOf,
  listOf,
  orderedLists,
  type RuleListName,
  revisionsOf,
  ruleListNames,
  tagOf,
} from './support/zone-contents.ts';
import { expectSoundHistory, latestRevision, readZone, type ZoneWithRules } from './support/zone-history.ts';

const plain = { accept: 'application/json' };
const linked = { accept: 'application/ld+json' };

describe('POST /api/zones/{zoneId}/revisions/{number}/restore', () => {
  let service: TestService;
  let anonymous: Client;
  let ada: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openService();
    anonymous = clientOf(service.url);
    ada = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    zone = await aZone(ada);
  });
  after(() => service.close());

  const path = () => `/api/zones/${zone.id}`;
  const revision = (number: number | string) => `${revisionsOf(zone)}/${number}`;
  const restore = (number: number | string, headers: Readonly<Record<string, string>> = {}, user: Client = ada) =>
    user.post(`${revision(number)}/restore`, undefined, headers);
  const ok = async (reply: Promise<Reply>) => {
    const { status, text } = await reply;
    expect(status, text).to.be.within(200, 204);
  };
  const latest = () => latestRevision(ada, zone);
  const put = (list: RuleListName, rules: readonly unknown[]) =>
    ada.send('PUT', listOf(zone, list), {
      headers: { ...plain, 'content-type': 'application/json', 'if-match': '*' },
      body: JSON.stringify(rules),
    });

  /** A zone with contents, and what it was before everything about it was changed. */
  async function aChangedZone() {
    await ok(ada.patch(path(), { zone_settings: { minifyHtml: true, backendPortOverride: 8080 } }));
    for (const list of [...ruleListNames, ...ruleListNames, ...orderedLists]) await aRuleIn(ada, zone, list);
    const user = await aBasicAuthUser(ada, zone, { comment: 'before' });
    const { number } = await latest();
    const earlier = await readZone(ada, zone);
    for (const list of ruleListNames) {
      const [first, second] = earlier[list];
      await ok(ada.delete(`${listOf(zone, list)}/${first?.id}`));
      await ok(ada.patch(`${listOf(zone, list)}/${second?.id}`, { enabled: false, name: first?.name }));
      await aRuleIn(ada, zone, list);
    }
    for (const list of orderedLists) await ok(put(list, (await readZone(ada, zone))[list].toReversed()));
    await ok(ada.patch(path(), { zone_settings: { minifyHtml: null, backendPortOverride: null } }));
    await ok(ada.patch(path(), { name: `${zone.name} renamed`, tag: 'dev' }));
    await ok(ada.post(`${path()}/ban-token`));
    await ok(ada.patch(`${basicAuthUsersOf(zone)}/${user.id}`, { comment: 'after' }));
    await aBasicAuthUser(ada, zone);
    return { number, earlier, now: await readZone(ada, zone) };
  }

  /** What of a list is restored: the rules themselves, without when they were written. */
  const rulesOf = (rules: readonly AnyRuleBody[]) => rules.map(({ createdAt: _, updatedAt: __, ...rule }) => rule);

  it('answers 200 with the zone: settings and rules as they were, with their ids and in their order', async () => {
    const { number, earlier } = await aChangedZone();
    const tag = await tagOf(ada, path());
    const reply = await restore(number);
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const restored = reply.json() as ZoneWithRules;
    expect(restored).to.deep.equal(await readZone(ada, zone));
    expect(restored.zone_settings).to.deep.equal(earlier.zone_settings);
    for (const list of ruleListNames) expect(rulesOf(restored[list])).to.deep.equal(rulesOf(earlier[list]));
    expect(reply.headers.get('etag')).not.to.equal(tag);
    expect(reply.headers.get('etag')).to.equal(await tagOf(ada, path()));
    await expectSoundHistory(ada, zone);
  });

  it('leaves name, tag, ban token and basic-auth users as they are', async () => {
    const users = async () => (await ada.get(basicAuthUsersOf(zone), plain)).json();
    const { number, now } = await aChangedZone();
    const before = await users();
    const { name, tag, banToken } = (await restore(number)).json() as ZoneBody;
    expect({ name, tag, banToken }).to.deep.equal({ name: now.name, tag: now.tag, banToken: now.banToken });
    expect(await users()).to.deep.equal(before);
  });

  it('is one more revision, which can be undone like any other', async () => {
    const { number, now } = await aChangedZone();
    const before = await latest();
    await ok(restore(number));
    expect(await latest()).to.deep.include({
      number: before.number + 1,
      action: 'zone.restored',
      objects: { revision: String(number) },
    });
    await ok(restore(before.number));
    const again = await readZone(ada, zone);
    expect(again.zone_settings).to.deep.equal(now.zone_settings);
    for (const list of ruleListNames) expect(rulesOf(again[list])).to.deep.equal(rulesOf(now[list]));
    await expectSoundHistory(ada, zone);
  });

  it('answers 200 with linked data on demand', async () => {
    await ok(ada.patch(path(), { zone_settings: { minifyHtml: true } }));
    const reply = await restore(1, linked);
    expect(reply.json()).to.include({ '@context': '/api/contexts/Zone', '@id': path(), '@type': 'Zone' });
  });

  it('leaves rules alone that are as they were: their entity tags stay', async () => {
    const rule = await aRuleIn(ada, zone, 'configurationRules');
    const { number } = await latest();
    const item = `${listOf(zone, 'configurationRules')}/${rule.id}`;
    const tag = await tagOf(ada, item);
    await ok(ada.patch(path(), { zone_settings: { minifyHtml: true } }));
    await ok(restore(number));
    expect(await tagOf(ada, item)).to.equal(tag);
  });

  it('answers 412 with the present ETag when the zone is not what the client read', async () => {
    await ok(ada.patch(path(), { zone_settings: { minifyHtml: true } }));
    const stale = await tagOf(ada, path());
    await ok(ada.patch(path(), { zone_settings: { cachingDefaultTtl: 1 } }));
    const fresh = await tagOf(ada, path());
    const refused = await restore(1, { 'if-match': stale });
    expectProblem(refused, 412, 'precondition-failed');
    expect(refused.headers.get('etag')).to.equal(fresh);
    const replies = await Promise.all(Array.from({ length: 5 }, () => restore(1, { 'if-match': fresh })));
    expect(statusCounts(replies)).to.deep.equal({ 200: 1, 412: 4 });
  });

  it('answers 422 at its place to a backend that is gone, and restores nothing', async () => {
    const { id: backend } = await anOriginServer(ada);
    const defaultBackend = { type: 'origin_server', id: backend };
    await ok(ada.patch(path(), { zone_settings: { defaultBackend, minifyHtml: true } }));
    await aRuleIn(ada, zone, 'configurationRules');
    await aRuleIn(ada, zone, 'configurationRules', { settingsOverrides: { defaultBackend } });
    await ok(ada.patch(path(), { zone_settings: null }));
    await ok(put('configurationRules', []));
    await service.database.none('DELETE FROM origin_servers WHERE id = $1', [backend]);
    const before = await ada.get(path());
    expectProblem(await restore(2), 422, 'validation-failed', ['zone_settings.defaultBackend: backend.unknown']);
    await service.database.none('UPDATE zone_revisions SET patch = $2 WHERE zone_id = $1 AND number = 2', [
      zone.id,
      { zone_settings: { minifyHtml: true } },
    ]);
    expectProblem(await restore(4), 422, 'validation-failed', [
      'configurationRules[1].settingsOverrides.defaultBackend: backend.unknown',
    ]);
    expect((await ada.get(path())).text).to.equal(before.text);
    expect(await latest()).to.deep.include({ number: 6 });
  });

  it('answers 422 at its place to a basic-auth user who is gone, and where nobody could pass any more', async () => {
    const [one, two] = [await aBasicAuthUser(ada, zone), await aBasicAuthUser(ada, zone)];
    await ok(ada.patch(path(), { zone_settings: { basicAuth: { enabled: true, allowedUserIds: [one.id, two.id] } } }));
    const { number } = await latest();
    await ok(ada.patch(path(), { zone_settings: { basicAuth: null } }));
    await ok(ada.delete(`${basicAuthUsersOf(zone)}/${two.id}`));
    expectProblem(await restore(number), 422, 'validation-failed', [
      'zone_settings.basicAuth.allowedUserIds[1]: basicAuth.user.unknown',
    ]);
    await ok(ada.delete(`${basicAuthUsersOf(zone)}/${one.id}`));
    expectProblem(await restore(number), 422, 'validation-failed', [
      'zone_settings.basicAuth.allowedUserIds[0]: basicAuth.user.unknown',
      'zone_settings.basicAuth.allowedUserIds[1]: basicAuth.user.unknown',
      'zone_settings.basicAuth.enabled: basicAuth.noUser',
    ]);
  });

  it('restores once for an Idempotency-Key', async () => {
    await ok(ada.patch(path(), { zone_settings: { minifyHtml: true } }));
    const headers = { 'idempotency-key': `restore-${zone.id}` };
    const [first, again] = [await restore(1, headers), await restore(1, headers)];
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    expect(await latest()).to.include({ number: 3 });
  });

  for (const [role, status] of [
    ['owner', 200],
    ['admin', 200],
    ['editor', 200],
    ['viewer', 403],
  ] as const) {
    it(`answers ${status} to ${role}s, who all read history`, async () => {
      await ok(ada.patch(path(), { zone_settings: { minifyHtml: true } }));
      const member = await aMember(service, ada, role);
      for (const read of [revisionsOf(zone), revision(1), `${revision(1)}/diff/2`]) {
        expect((await member.get(read)).status).to.equal(200);
      }
      expect((await restore(1, {}, member)).status).to.equal(status);
    });
  }

  it('answers 403 to strangers and read-only tokens, 401 to nobody', async () => {
    const stranger = await aVerifiedUser(service);
    for (const read of [revisionsOf(zone), revision(1), revision(4711), `${revision(1)}/diff/1`]) {
      expectProblem(await stranger.get(read), 403, 'forbidden');
      expectProblem(await anonymous.get(read), 401, 'unauthenticated');
    }
    expectProblem(await restore(1, {}, stranger), 403, 'forbidden');
    expectProblem(await restore(4711, {}, stranger), 403, 'forbidden');
    expectProblem(await restore(1, {}, anonymous), 401, 'unauthenticated');
    expectProblem(await restore(1, {}, await anApiToken(ada, { readOnly: true })), 403, 'read-only-token');
  });
});
