import { expect } from 'chai';
import { aLoadBalancer, anOriginServer, aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import { type Reply, statusCounts } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import {
  aBasicAuthUser,
  aRuleIn,
  type ChangeSetBody,
  changeSetsOf,
  promotionsOf,
  tagOf,
} from './support/zone-contents.ts';
import { readZone } from './support/zone-history.ts';

interface PromotionBody {
  readonly id?: string;
  readonly zone: string;
  readonly from: string;
  readonly fromRevision: number;
  readonly toRevision: number;
  readonly base?: { readonly fromRevision: number; readonly toRevision: number };
  readonly changeSet?: string;
  readonly report: readonly {
    readonly kind: string;
    readonly name: string;
    readonly change: string;
    readonly rule?: string;
    readonly source?: string;
    readonly members?: readonly string[];
  }[];
}

const json = { accept: 'application/json' };
const iriOf = ({ id }: { readonly id: string }): string => `/api/zones/${id}`;

describe('Promotions', () => {
  let service: MemoryService;
  let ada: User;
  let dev: ZoneBody;
  let prod: ZoneBody;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    [dev, prod] = [await aZone(ada, { tag: 'dev' }), await aZone(ada)];
  });
  after(() => service.close());

  const ask = (body: object = {}, headers: Readonly<Record<string, string>> = {}, user: User = ada): Promise<Reply> =>
    user.post(promotionsOf(prod), { from: dev.id, ...body }, { ...json, ...headers });
  const promote = async (status: number, body: object = {}): Promise<PromotionBody> => {
    const reply = await ask(body);
    expect(reply.status, reply.text).to.equal(status);
    return reply.json() as PromotionBody;
  };
  const read = async <T>(path = ''): Promise<T> => {
    const reply = await ada.get(path);
    expect(reply.status, reply.text).to.equal(200);
    return reply.json() as T;
  };
  const act = async (path: string, body: object = {}): Promise<ChangeSetBody> => {
    const reply = await ada.post(path, body, { ...json, 'if-match': '*' });
    expect(reply.status, reply.text).to.equal(200);
    return reply.json() as ChangeSetBody;
  };
  const configure = async (zone: ZoneBody, settings: object): Promise<void> => {
    const reply = await ada.patch(iriOf(zone), { zone_settings: settings });
    expect(reply.status, reply.text).to.equal(200);
  };
  const linesOf = ({ report }: PromotionBody) => report.map(({ name, change }) => `${name} ${change}`);

  it('create a change set without applying it; lists omit the reports', async () => {
    const source = await aRuleIn(ada, dev, 'configurationRules', { name: 'Blog' });
    const before = await tagOf(ada, iriOf(prod));
    const reply = await ask({ from: iriOf(dev) });
    expect(reply.status, reply.text).to.equal(201);
    const promotion = reply.json() as PromotionBody;
    const { id, changeSet = '', report } = promotion;
    expect(promotion).to.deep.include({ zone: iriOf(prod), from: iriOf(dev), fromRevision: 2, toRevision: 1 });
    expect(reply.headers.get('location')).to.equal(`${promotionsOf(prod)}/${id}`);
    const [entry] = report;
    const rule = `${iriOf(prod)}/configuration-rules/${entry?.rule?.split('/').at(-1)}`;
    expect(report).to.deep.equal([
      {
        kind: 'configurationRule',
        name: 'Blog',
        change: 'added',
        rule,
        source: `${iriOf(dev)}/configuration-rules/${source.id}`,
        members: [`configurationRules.items.${rule.split('/').at(-1)}`],
      },
    ]);
    expect(await read(`${promotionsOf(prod)}/${id}`)).to.deep.equal(promotion);
    const { report: _, ...summary } = promotion;
    expect(await read(promotionsOf(prod))).to.deep.equal([summary]);
    expect(await tagOf(ada, iriOf(prod))).to.equal(before);
    expect(await read(changeSet)).to.deep.include({
      title: `Promotion from ${dev.name} (dev)`,
      status: 'open',
      base: 1,
      promotion: `${promotionsOf(prod)}/${id}`,
    });
    await act(`${changeSet}/apply`);
    const { configurationRules } = await readZone(ada, prod);
    expect(configurationRules.map((each) => [each.id, each.name])).to.deep.equal([[rule.split('/').at(-1), 'Blog']]);
    const { entries } = await lastEntry();
    expect(entries[1]).to.deep.include({
      action: 'zone.promoted',
      objects: { zone: prod.id, from: dev.id, changeSet: changeSet.split('/').at(-1) },
    });
  });

  const lastEntry = async () => ({
    entries: await read<readonly object[]>(`/api/organizations/${ada.organization}/audit-log?itemsPerPage=2`),
  });

  it('include what has changed since the last applied one, and nothing twice', async () => {
    await aRuleIn(ada, dev, 'accessRules', { name: 'Bots' });
    const { changeSet } = await promote(201);
    await act(`${changeSet}/apply`);
    const nothing = await promote(200);
    expect(nothing).not.to.have.any.keys('id', 'changeSet', 'createdAt');
    expect(nothing.base).to.deep.equal({ fromRevision: 2, toRevision: 1 });
    expect(linesOf(nothing)).to.deep.equal(['Bots kept']);
    expect(await read<readonly unknown[]>(promotionsOf(prod))).to.have.length(1);
    await configure(dev, { minifyHtml: true });
    expect(linesOf(await promote(201))).to.deep.equal(['minifyHtml changed', 'Bots kept']);
  });

  it('start over once the last promoted revision has been deleted', async () => {
    await aRuleIn(ada, dev, 'accessRules', { name: 'Bots' });
    const { changeSet } = await promote(201);
    await act(`${changeSet}/apply`);
    await aRuleIn(ada, dev, 'accessRules', { name: 'Scrapers' });
    service.inTables(({ revisions }) => {
      // The key of a row is the id of its zone.
      for (const [zone, rows] of revisions) if (String(zone) === dev.id) revisions.set(zone, rows.slice(2));
    });
    const anew = await promote(201);
    expect(anew).not.to.have.property('base');
    expect(linesOf(anew)).to.deep.equal(['Bots kept', 'Scrapers added']);
  });

  it('with conflicts create a change set that a rebase resolves, until the source changes again', async () => {
    await configure(dev, { minifyHtml: true, cachingDefaultTtl: 60 });
    await configure(prod, { cachingDefaultTtl: 600 });
    const promotion = await promote(201, { keep: ['processingSsi'] });
    expect(linesOf(promotion)).to.deep.equal(['cachingDefaultTtl conflict', 'minifyHtml conflict']);
    const set = await read<ChangeSetBody>(promotion.changeSet);
    expect([set.status, set.conflicts]).to.deep.equal([
      'conflicted',
      [
        { path: 'zone_settings.cachingDefaultTtl', theirs: 600, yours: 60 },
        { path: 'zone_settings.minifyHtml', theirs: false, yours: true },
      ],
    ]);
    const listed = await read<readonly ChangeSetBody[]>(`${changeSetsOf(prod)}?status=conflicted`);
    expect(listed.map(({ id }) => id)).to.deep.equal([set.id]);
    const early = await ada.post(`${promotion.changeSet}/apply`, {}, { 'if-match': '*' });
    expect([early.status, early.json()]).to.deep.include(409);
    const resolve = { 'zone_settings.cachingDefaultTtl': 'theirs', '*': 'yours' };
    expect(await act(`${promotion.changeSet}/rebase`, { resolve })).to.deep.include({
      status: 'open',
      patch: { zone_settings: { minifyHtml: true } },
    });
    await act(`${promotion.changeSet}/apply`);
    expect(linesOf(await promote(200))).to.deep.equal(['cachingDefaultTtl kept']);
    await configure(dev, { cachingDefaultTtl: 30 });
    expect(linesOf(await promote(201))).to.deep.equal(['cachingDefaultTtl conflict']);
  });

  it("have conflicts with the target's current state, which disappear when the target follows", async () => {
    await configure(dev, { cachingDefaultTtl: 60 });
    await configure(prod, { cachingDefaultTtl: 600 });
    const { changeSet = '' } = await promote(201);
    const conflicts = async () => (await read<ChangeSetBody>(changeSet)).conflicts;
    await configure(prod, { minifyHtml: true });
    expect(await conflicts()).to.deep.equal([{ path: 'zone_settings.cachingDefaultTtl', theirs: 600, yours: 60 }]);
    await configure(prod, { cachingDefaultTtl: 60 });
    expect(await conflicts()).to.equal(undefined);
    const { zone_settings: settings } = (await act(`${changeSet}/apply`)) && (await readZone(ada, prod));
    expect(settings).to.deep.include({ cachingDefaultTtl: 60, minifyHtml: true });
  });

  it('find the open change set when repeated, however concurrently, and create another one for another request or once it is closed', async () => {
    await configure(dev, { minifyHtml: true });
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask({ map: { backends: {} } })));
    expect(statusCounts(replies)).to.deep.equal({ 200: 19, 201: 1 });
    const ids = new Set(replies.map((reply) => (reply.json() as PromotionBody).id));
    expect(ids.size).to.equal(1);
    expect([...ids]).to.deep.equal([(await promote(200, { fromRevision: 2 })).id]);
    const others = [{ title: 'Another' }, { keep: ['minifyCss'] }, { fromRevision: 1 }];
    for (const body of others.slice(0, 1)) await promote(201, body);
    const { changeSet = '' } = await promote(200);
    expect((await ada.delete(changeSet)).status).to.equal(204);
    expect([...ids]).not.to.include((await promote(201)).id);
  });

  it('map backends and users by name', async () => {
    const [server, balancer] = [await anOriginServer(ada, { name: 'dev' }), await aLoadBalancer(ada, { name: 'live' })];
    const [guest] = [await aBasicAuthUser(ada, dev, { username: 'guest' })];
    const press = await aBasicAuthUser(ada, prod, { username: 'press' });
    const backend = { type: 'origin_server', id: server.id };
    await aRuleIn(ada, dev, 'configurationRules', {
      settingsOverrides: { defaultBackend: backend, basicAuth: { enabled: true, allowedUserIds: [guest.id] } },
    });
    await configure(dev, { defaultBackend: backend });
    const map = { backends: { dev: 'live' }, basicAuthUsers: { guest: 'press' } };
    const { changeSet, report } = await promote(201, { map });
    await act(`${changeSet}/apply`);
    const zone = await readZone(ada, prod);
    expect(zone.configurationRules[0]?.['settingsOverrides']).to.deep.equal({
      defaultBackend: { type: 'load_balancer', id: balancer.id },
      basicAuth: { enabled: true, allowedUserIds: [press.id] },
    });
    expect(zone.zone_settings).not.to.have.property('defaultBackend');
    expect(report[0]).to.deep.include({ kind: 'settings', name: 'defaultBackend', change: 'kept' });
  });

  it('check the entity tags of both zones', async () => {
    await configure(dev, { minifyHtml: true });
    const [old, fromTag] = [await tagOf(ada, iriOf(prod)), await tagOf(ada, iriOf(dev))];
    await configure(prod, { minifyHtml: false, processingSsi: true });
    const stale = await ask({}, { 'if-match': old });
    expect([stale.status, stale.headers.get('etag')]).to.deep.equal([412, await tagOf(ada, iriOf(prod))]);
    const ofSource = await ask({ fromTag: old });
    expect([ofSource.status, ofSource.headers.get('etag')]).to.deep.equal([412, null]);
    expect((await ask({ fromTag }, { 'if-match': await tagOf(ada, iriOf(prod)) })).status).to.equal(201);
  });

  const refusals: readonly (readonly [
    what: string,
    body: () => object | Promise<object>,
    violations: readonly string[],
  ])[] = [
    ['the zone itself', () => ({ from: prod.id }), ['promotion.self from']],
    [
      'a zone of another organization',
      async () => ({ from: (await aZone(await aVerifiedUser(service))).id }),
      ['promotion.organization from'],
    ],
    ['a zone that does not exist', () => ({ from: ada.id }), ['promotion.organization from']],
    ['no zone', () => ({ from: null }), ['member.required from']],
    ['a revision that does not exist', () => ({ fromRevision: 99 }), ['revision.unknown fromRevision']],
    [
      'unknown names and settings',
      () => ({ map: { backends: { x: 'y' }, basicAuthUsers: { x: 'y' } } }),
      ['backend.unknown map.backends.x', 'promotion.user.unknown map.basicAuthUsers.x'],
    ],
    ['settings that do not exist', () => ({ keep: ['x'] }), ['value.choice keep[0]']],
    [
      'values that are invalid in the target',
      async () => {
        const conditions = { logic: 'and', conditions: [{ field: 'uri', operator: 'equals', value: '/same' }] };
        await aRuleIn(ada, dev, 'configurationRules', { name: 'a', conditions });
        await aRuleIn(ada, prod, 'configurationRules', { name: 'b', conditions });
        return {};
      },
      ['rule.conditions.duplicate patch.configurationRules'],
    ],
  ];
  for (const [what, body, violations] of refusals) {
    it(`reject ${what} with 422, and store nothing`, async () => {
      const reply = await ask(await body());
      expect(reply.status, reply.text).to.equal(422);
      const { violations: found } = reply.json() as { violations: { code: string; propertyPath: string }[] };
      expect(found.map(({ code, propertyPath }) => `${code} ${propertyPath.replace(/\.items.*/, '')}`)).to.deep.equal(
        violations,
      );
      for (const path of [promotionsOf(prod), changeSetsOf(prod)]) expect(await read(path)).to.deep.equal([]);
    });
  }

  it('are not visible in another zone', async () => {
    await configure(dev, { minifyHtml: true });
    const { id } = await promote(201);
    expect((await ada.get(`${promotionsOf(dev)}/${id}`)).status).to.equal(404);
  });

  it('are linked data on demand, without an address if nothing was stored', async () => {
    const linked = { accept: 'application/ld+json' };
    const nothing = (await ask({}, linked)).json();
    expect(nothing).to.deep.include({ '@context': '/api/contexts/Promotion', '@type': 'Promotion', report: [] });
    expect(nothing).not.to.have.property('@id');
    await configure(dev, { minifyHtml: true });
    const made = (await ask({}, linked)).json() as PromotionBody;
    expect(made).to.deep.include({ '@id': `${promotionsOf(prod)}/${made.id}`, '@type': 'Promotion' });
  });
});
