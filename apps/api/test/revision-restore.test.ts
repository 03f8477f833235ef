import { expect } from 'chai';
import { aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import { type Client, expectSuccess } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
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
import { expectConsistentHistory, latestRevision, readZone, type ZoneWithRules } from './support/zone-history.ts';

const plain = { accept: 'application/json' };
const linked = { accept: 'application/ld+json' };

describe('POST /api/zones/{zoneId}/revisions/{number}/restore', () => {
  let service: MemoryService;
  let ada: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openMemoryService();
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
  const latest = () => latestRevision(ada, zone);
  const put = (list: RuleListName, rules: readonly unknown[]) =>
    ada.send('PUT', listOf(zone, list), {
      headers: { ...plain, 'content-type': 'application/json', 'if-match': '*' },
      body: JSON.stringify(rules),
    });

  /** A zone with contents, and its state before everything was changed. */
  async function aChangedZone() {
    await expectSuccess(ada.patch(path(), { zone_settings: { minifyHtml: true, backendPortOverride: 8080 } }));
    for (const list of [...ruleListNames, ...ruleListNames, ...orderedLists]) await aRuleIn(ada, zone, list);
    const user = await aBasicAuthUser(ada, zone, { comment: 'before' });
    const { number } = await latest();
    const earlier = await readZone(ada, zone);
    for (const list of ruleListNames) {
      const [first, second] = earlier[list];
      await expectSuccess(ada.delete(`${listOf(zone, list)}/${first?.id}`));
      await expectSuccess(ada.patch(`${listOf(zone, list)}/${second?.id}`, { enabled: false, name: first?.name }));
      await aRuleIn(ada, zone, list);
    }
    for (const list of orderedLists) await expectSuccess(put(list, (await readZone(ada, zone))[list].toReversed()));
    await expectSuccess(ada.patch(path(), { zone_settings: { minifyHtml: null, backendPortOverride: null } }));
    await expectSuccess(ada.patch(path(), { name: `${zone.name} renamed`, tag: 'dev' }));
    await expectSuccess(ada.post(`${path()}/ban-token`));
    await expectSuccess(ada.patch(`${basicAuthUsersOf(zone)}/${user.id}`, { comment: 'after' }));
    await aBasicAuthUser(ada, zone);
    return { number, earlier, now: await readZone(ada, zone) };
  }

  /** The restored part of a list: the rules without their timestamps. */
  const rulesOf = (rules: readonly AnyRuleBody[]) => rules.map(({ createdAt: _, updatedAt: __, ...rule }) => rule);

  it('answers 200 with the zone: settings and rules as before, with their ids and order', async () => {
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
    await expectConsistentHistory(ada, zone);
  });

  it('creates a revision, which can be reverted like any other', async () => {
    const { number, now } = await aChangedZone();
    const before = await latest();
    await expectSuccess(restore(number));
    expect(await latest()).to.deep.include({
      number: before.number + 1,
      action: 'zone.restored',
      objects: { revision: String(number) },
    });
    await expectSuccess(restore(before.number));
    const again = await readZone(ada, zone);
    expect(again.zone_settings).to.deep.equal(now.zone_settings);
    for (const list of ruleListNames) expect(rulesOf(again[list])).to.deep.equal(rulesOf(now[list]));
    await expectConsistentHistory(ada, zone);
  });

  it('answers 200 with linked data on demand', async () => {
    await expectSuccess(ada.patch(path(), { zone_settings: { minifyHtml: true } }));
    const reply = await restore(1, linked);
    expect(reply.json()).to.include({ '@context': '/api/contexts/Zone', '@id': path(), '@type': 'Zone' });
  });

  it('leaves identical rules alone: their entity tags stay', async () => {
    const rule = await aRuleIn(ada, zone, 'configurationRules');
    const { number } = await latest();
    const item = `${listOf(zone, 'configurationRules')}/${rule.id}`;
    const tag = await tagOf(ada, item);
    await expectSuccess(ada.patch(path(), { zone_settings: { minifyHtml: true } }));
    await expectSuccess(restore(number));
    expect(await tagOf(ada, item)).to.equal(tag);
  });

  it('restores once for an Idempotency-Key', async () => {
    await expectSuccess(ada.patch(path(), { zone_settings: { minifyHtml: true } }));
    const headers = { 'idempotency-key': `restore-${zone.id}` };
    const [first, again] = [await restore(1, headers), await restore(1, headers)];
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    expect(await latest()).to.include({ number: 3 });
  });
});
