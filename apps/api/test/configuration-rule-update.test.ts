import { expect } from 'chai';
import {
  aMember,
  anOriginServer,
  aRule,
  aVerifiedUser,
  aZone,
  type RuleBody,
  rulesOf,
  someConditions,
  type User,
  type ZoneBody,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem, statusCounts } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const plain = { accept: 'application/json' };

describe('PATCH /api/zones/{zoneId}/configuration-rules/{id}', () => {
  let service: MemoryService;
  let anonymous: Client;
  let ada: User;
  let viewer: User;
  let stranger: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
    [ada, stranger] = await Promise.all([aVerifiedUser(service), aVerifiedUser(service)]);
    viewer = await aMember(service, ada, 'viewer');
  });
  beforeEach(async () => {
    zone = await aZone(ada);
  });
  after(() => service.close());

  const pathOf = ({ id }: Pick<RuleBody, 'id'>) => `${rulesOf(zone)}/${id}`;
  const read = async (rule: Pick<RuleBody, 'id'>) => (await ada.get(pathOf(rule), plain)).json() as RuleBody;
  const tagOf = async (rule: RuleBody, headers = plain) =>
    (await ada.get(pathOf(rule), headers)).headers.get('etag') ?? '';

  /** The names of the zone's rules in evaluation order; fails unless their positions are 1..n. */
  async function order(): Promise<string> {
    const rules = (await ada.get(`${rulesOf(zone)}?itemsPerPage=100`, plain)).json() as readonly RuleBody[];
    expect(rules.map((rule) => rule.order)).to.deep.equal(rules.map((_, index) => index + 1));
    return rules.map(({ name }) => name).join(' ');
  }

  const patch = (rule: Pick<RuleBody, 'id'>, body: unknown, headers: Readonly<Record<string, string>> = plain) =>
    ada.patch(pathOf(rule), body, headers);

  it('answers 200 with the full rule as linked data', async () => {
    const rule = await aRule(ada, zone, { description: 'kept', settingsOverrides: { minifyHtml: true } });
    const reply = await patch(rule, { name: 'renamed' }, {});
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
    const { updatedAt, ...changed } = reply.json() as RuleBody;
    const { updatedAt: before, ...unchanged } = rule;
    expect(changed).to.deep.equal({
      '@context': '/api/contexts/ConfigurationRule',
      '@id': pathOf(rule),
      '@type': 'ConfigurationRule',
      ...unchanged,
      name: 'renamed',
    });
    expect(Date.parse(updatedAt)).to.be.at.least(Date.parse(before));
    expect(await read(rule)).to.deep.equal({ ...unchanged, name: 'renamed', updatedAt });
  });

  for (const [member, value] of [
    ['name', 'new name'],
    ['description', 'two\nlines'],
    ['conditions', someConditions()],
    ['enabled', false],
    ['stopOnMatch', true],
    ['settingsOverrides', { cachingDefaultTtl: 0 }],
  ] as const) {
    it(`changes ${member} and nothing else`, async () => {
      const rule = await aRule(ada, zone);
      const { updatedAt: _, ...changed } = (await patch(rule, { [member]: value })).json() as RuleBody;
      const { updatedAt: __, ...before } = rule;
      expect(changed).to.deep.equal({ ...before, [member]: value });
    });
  }

  it('changes nothing but its version when the patch is empty', async () => {
    const rule = await aRule(ada, zone);
    const reply = await patch(rule, {});
    expect(reply.status).to.equal(200);
    const { updatedAt: _, ...same } = reply.json() as RuleBody;
    expect(rule).to.deep.include(same);
  });

  it('merges objects member by member and replaces lists as a whole', async () => {
    const rule = await aRule(ada, zone, {
      settingsOverrides: {
        cachingDefaultTtl: 60,
        cachingIgnoredUrlParams: ['a', 'b'],
        cachingDynamicCacheKey: { varyByCookie: ['one'], varyByCountry: true },
      },
    });
    const reply = await patch(rule, {
      settingsOverrides: {
        minifyHtml: true,
        cachingIgnoredUrlParams: ['c'],
        cachingDynamicCacheKey: { varyByCookie: ['two'] },
      },
    });
    expect((reply.json() as RuleBody).settingsOverrides).to.deep.equal({
      cachingDefaultTtl: 60,
      cachingIgnoredUrlParams: ['c'],
      cachingDynamicCacheKey: {
        uri: true,
        varyByHostname: true,
        varyByCookie: ['two'],
        varyByCountry: true,
        varyByHeader: [],
      },
      minifyHtml: true,
    });
  });

  it('changes the logic of conditions alone', async () => {
    const rule = await aRule(ada, zone);
    const reply = await patch(rule, { conditions: { logic: 'or' } });
    expect((reply.json() as RuleBody).conditions).to.deep.equal({ ...(rule.conditions as object), logic: 'or' });
  });

  it('drops what is null: one override, all overrides, the description', async () => {
    const rule = await aRule(ada, zone, {
      description: 'gone soon',
      enabled: false,
      settingsOverrides: { cachingDefaultTtl: 60, minifyHtml: true },
    });
    const one = (await patch(rule, { settingsOverrides: { cachingDefaultTtl: null } })).json() as RuleBody;
    expect(one.settingsOverrides).to.deep.equal({ minifyHtml: true });
    const all = (await patch(rule, { settingsOverrides: null, description: null })).json() as RuleBody;
    expect(all).to.deep.include({ settingsOverrides: {}, description: '' });
  });

  for (const member of ['name', 'conditions', 'order'] as const) {
    it(`answers 422 to null as ${member}, which every rule has`, async () => {
      const rule = await aRule(ada, zone);
      expectProblem(await patch(rule, { [member]: null }), 422, 'validation-failed', [`${member}: member.required`]);
    });
  }

  describe('order', () => {
    let rules: Record<string, RuleBody>;
    beforeEach(async () => {
      rules = {};
      for (const name of ['a', 'b', 'c', 'd']) rules[name] = await aRule(ada, zone, { name });
    });
    const move = (name: string, to: unknown) => patch(rules[name] ?? expect.fail(name), { order: to });

    for (const [name, to, result] of [
      ['a', 3, 'b c a d'],
      ['d', 1, 'd a b c'],
      ['b', 2, 'a b c d'],
      ['a', 99, 'b c d a'],
      ['c', 0, 'c a b d'],
      ['d', -5, 'd a b c'],
    ] as const) {
      it(`moves ${name} to ${to} and re-sequences its siblings: ${result}`, async () => {
        const reply = await move(name, to);
        expect((reply.json() as RuleBody).order).to.equal(result.split(' ').indexOf(name) + 1);
        expect(await order()).to.equal(result);
      });
    }

    it('leaves the timestamps of siblings alone', async () => {
      const { b } = rules;
      await move('a', 4);
      expect(await read(b ?? expect.fail('no b'))).to.deep.equal({ ...b, order: 1 });
    });

    it('answers 422 to an order that is no integer', async () => {
      for (const to of ['1', 1.5, true, [1]]) {
        expectProblem(await move('a', to), 422, 'validation-failed', ['order: member.type']);
      }
      expect(await order()).to.equal('a b c d');
    });

    it('stays without gaps whatever is moved, created and deleted at the same time', async () => {
      const work = [
        ...Array.from({ length: 12 }, (_, index) => move('abcd'[index % 4] ?? 'a', (index % 5) + 1)),
        ...Array.from({ length: 4 }, () => aRule(ada, zone, { order: 2 })),
        ada.delete(pathOf(rules['b'] ?? expect.fail('no b'))),
      ];
      const replies = await Promise.all(work);
      const unexpected = replies.filter((reply) => 'status' in reply && ![200, 204, 404].includes(reply.status));
      expect(unexpected).to.deep.equal([]);
      expect((await order()).split(' ')).to.have.length(7);
    });
  });

  it('answers 422 to a name of another rule, and 200 to its own in other letter case', async () => {
    await aRule(ada, zone, { name: 'Taken' });
    const rule = await aRule(ada, zone, { name: 'own' });
    expectProblem(await patch(rule, { name: 'tAKEN ' }), 422, 'validation-failed', ['name: rule.name.duplicate']);
    expect((await patch(rule, { name: 'OWN' })).status).to.equal(200);
  });

  it('answers 422 to conditions of another rule, and 200 to its own written differently', async () => {
    const taken = await aRule(ada, zone);
    const rule = await aRule(ada, zone, { conditions: someConditions('/own') });
    expectProblem(await patch(rule, { conditions: taken.conditions }), 422, 'validation-failed', [
      'conditions: rule.conditions.duplicate',
    ]);
    const own = { logic: 'OR', conditions: [{ field: 'path', operator: 'eq', value: '/own' }] };
    expect(((await patch(rule, { conditions: own })).json() as RuleBody).conditions).to.deep.equal(own);
  });

  it('answers 422 to a backend that the organization does not have, and 200 to one it has', async () => {
    const rule = await aRule(ada, zone);
    const to = (id: string) => patch(rule, { settingsOverrides: { defaultBackend: { type: 'origin_server', id } } });
    const unknown = ['settingsOverrides.defaultBackend: backend.unknown'];
    const { id: foreign } = await anOriginServer(stranger);
    const { id: own } = await anOriginServer(ada);
    expectProblem(await to(missingId), 422, 'validation-failed', unknown);
    expectProblem(await to(foreign), 422, 'validation-failed', unknown);
    expect((await to(own)).status).to.equal(200);
  });

  it('answers 422 to another zone, and ignores its own', async () => {
    const rule = await aRule(ada, zone);
    const other = await aZone(ada);
    for (const given of [other.id, `/api/zones/${other.id}`, null, 7, [zone.id]]) {
      expectProblem(await patch(rule, { zone: given }), 422, 'validation-failed', ['zone: zone.change']);
    }
    for (const given of [zone.id, `/api/zones/${zone.id}`]) {
      expect((await patch(rule, { zone: given })).status).to.equal(200);
    }
    expect((await read(rule)).zone).to.equal(`/api/zones/${zone.id}`);
  });

  it('takes what GET gave, in either flavour, and changes nothing', async () => {
    const rule = await aRule(ada, zone, { settingsOverrides: { cachingDynamicCacheKey: { varyByCountry: true } } });
    for (const accept of ['application/json', 'application/ld+json']) {
      const body = (await ada.get(pathOf(rule), { accept })).json();
      const { updatedAt: _, ...same } = (await patch(rule, body)).json() as RuleBody;
      expect(rule).to.deep.include(same);
    }
  });

  it('ignores id and timestamps, and answers 422 to members it does not know', async () => {
    const rule = await aRule(ada, zone);
    const ignored = { id: missingId, createdAt: '2001-01-01T00:00:00.000Z', '@id': '/x', '@anything': [] };
    expect((await patch(rule, ignored)).json()).to.include({ id: rule.id, createdAt: rule.createdAt });
    const reply = await patch(rule, { nmae: 'x', conditions: { Logic: 'or' }, settingsOverrides: { ttl: 1 } });
    expectProblem(reply, 422, 'validation-failed', [
      'conditions.Logic: member.unknown',
      'settingsOverrides.ttl: member.unknown',
      'nmae: member.unknown',
    ]);
  });

  it('keeps both of two simultaneous patches of different members', async () => {
    const rule = await aRule(ada, zone);
    const replies = await Promise.all([
      patch(rule, { description: 'both' }),
      patch(rule, { stopOnMatch: true }),
      patch(rule, { settingsOverrides: { minifyHtml: true } }),
      patch(rule, { settingsOverrides: { cachingDefaultTtl: 1 } }),
    ]);
    expect(statusCounts(replies)).to.deep.equal({ 200: 4 });
    expect(await read(rule)).to.deep.include({
      description: 'both',
      stopOnMatch: true,
      settingsOverrides: { minifyHtml: true, cachingDefaultTtl: 1 },
    });
  });

  it('answers 412 when the rule is not what the client read', async () => {
    const rule = await aRule(ada, zone);
    const stale = await tagOf(rule);
    const first = await patch(rule, { enabled: false }, { ...plain, 'if-match': stale });
    expect(first.status).to.equal(200);
    for (const condition of [stale, '"never"', 'garbage']) {
      const reply = await patch(rule, { enabled: true }, { 'if-match': condition });
      expectProblem(reply, 412, 'precondition-failed');
    }
    expect((await read(rule)).enabled).to.equal(false);
    const refused = await patch(rule, { enabled: true }, { 'if-match': stale });
    const current = refused.headers.get('etag') ?? '';
    expect(current).to.equal(await tagOf(rule, plain));
    const fresh = first.headers.get('etag') ?? '';
    expect((await patch(rule, {}, { 'if-match': `${stale}, ${fresh}` })).status).to.equal(200);
    expect((await patch(rule, {}, { 'if-match': '*' })).status).to.equal(200);
  });

  it('answers 412 to all but one of ten simultaneous patches of the same version', async () => {
    const rule = await aRule(ada, zone);
    const headers = { 'if-match': await tagOf(rule, { accept: 'application/ld+json' }) };
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => patch(rule, { description: `${index}` }, headers)),
    );
    expect(statusCounts(replies)).to.deep.equal({ 200: 1, 412: 9 });
  });

  it('answers 200 to editors, 403 to viewers and strangers', async () => {
    const rule = await aRule(ada, zone);
    const editor = await aMember(service, ada, 'editor');
    expect((await editor.patch(pathOf(rule), { enabled: false })).status).to.equal(200);
    for (const user of [viewer, stranger]) {
      expectProblem(await user.patch(pathOf(rule), { enabled: true }), 403, 'forbidden');
    }
  });

  it('answers 404 to a rule or zone that does not exist, and to a rule of another zone', async () => {
    const rule = await aRule(ada, await aZone(ada));
    const paths = [
      pathOf({ id: missingId }),
      pathOf(rule),
      pathOf({ id: 'abc' }),
      `${rulesOf({ id: missingId })}/${rule.id}`,
    ];
    for (const path of paths) expectProblem(await ada.patch(path, { enabled: true }), 404, 'not-found');
  });

  it('lets a deletion win or lose against patches, and never fails', async () => {
    for (let round = 0; round < 3; round += 1) {
      const rule = await aRule(ada, zone);
      const replies = await Promise.all([
        ...Array.from({ length: 4 }, (_, index) => patch(rule, { order: index + 1 })),
        ada.delete(pathOf(rule)),
        ...Array.from({ length: 4 }, (_, index) => patch(rule, { description: `${index}` })),
      ]);
      expect(replies.map(({ status }) => status).filter((status) => ![200, 204, 404].includes(status))).to.be.empty;
      expectProblem(await ada.get(pathOf(rule)), 404, 'not-found');
    }
  });

  it('answers 404 once the zone is gone, also to patches under way', async () => {
    const rule = await aRule(ada, zone);
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => patch(rule, { enabled: false })),
      ada.delete(`/api/zones/${zone.id}`),
    ]);
    expect(replies.map(({ status }) => status).filter((status) => ![200, 204, 404].includes(status))).to.be.empty;
    expectProblem(await patch(rule, { enabled: true }), 404, 'not-found');
  });

  describe('order of checks', () => {
    const malformed = { headers: { 'content-type': 'application/merge-patch+json' }, body: '{"name":' };
    const wrongType = { headers: { 'content-type': 'application/json' }, body: '{"name":' };
    let rule: RuleBody;
    beforeEach(async () => {
      rule = await aRule(ada, zone);
    });
    const send = (client: Client, path: string, call: Parameters<Client['send']>[2]) =>
      client.send('PATCH', path, call);

    it('401 comes before 415 and 406', async () => {
      const call = { ...wrongType, headers: { ...wrongType.headers, accept: 'text/html' } };
      expectProblem(await send(anonymous, pathOf(rule), call), 401, 'unauthenticated');
    });

    it('404 of an unknown path and 405 come before 401', async () => {
      expectProblem(await send(anonymous, `${pathOf(rule)}/more`, malformed), 404, 'not-found');
      expectProblem(await send(anonymous, rulesOf(zone), malformed), 405, 'method-not-allowed');
    });

    it('406 comes before 403 and 404', async () => {
      const call = { ...malformed, headers: { ...malformed.headers, accept: 'text/html' } };
      for (const path of [pathOf(rule), pathOf({ id: missingId })]) {
        expectProblem(await send(stranger, path, call), 406, 'not-acceptable');
      }
    });

    it('415 comes before 403 and 404', async () => {
      for (const type of ['application/json', 'application/ld+json', 'text/plain']) {
        const call = { ...malformed, headers: { 'content-type': type } };
        expectProblem(await send(stranger, pathOf(rule), call), 415, 'unsupported-media-type');
        expectProblem(await send(ada, pathOf({ id: missingId }), call), 415, 'unsupported-media-type');
      }
      expectProblem(await send(ada, pathOf(rule), { body: '{}' }), 415, 'unsupported-media-type');
    });

    it('404 comes before 400 and 422', async () => {
      for (const path of [pathOf({ id: missingId }), `${rulesOf({ id: missingId })}/${rule.id}`]) {
        expectProblem(await send(ada, path, malformed), 404, 'not-found');
        expectProblem(await ada.patch(path, { name: 7, unknown: 1 }), 404, 'not-found');
      }
    });

    it('403 comes before 400 and 422', async () => {
      for (const user of [viewer, stranger]) {
        expectProblem(await send(user, pathOf(rule), malformed), 403, 'forbidden');
        expectProblem(await user.patch(pathOf(rule), { name: 7, zone: missingId }), 403, 'forbidden');
        expectProblem(await user.patch(pathOf({ id: missingId }), { name: 7 }), 403, 'forbidden');
      }
    });

    it('403 and 404 come before 400 and 422 on POST', async () => {
      const call = { headers: { 'content-type': 'application/json' }, body: '{' };
      for (const user of [viewer, stranger]) {
        expectProblem(await user.send('POST', rulesOf(zone), call), 403, 'forbidden');
        expectProblem(await user.post(rulesOf(zone), { name: 7 }), 403, 'forbidden');
      }
      expectProblem(await ada.send('POST', rulesOf({ id: missingId }), call), 404, 'not-found');
      expectProblem(await ada.post(rulesOf({ id: missingId }), { name: 7 }), 404, 'not-found');
    });

    it('400 comes before 422: malformed JSON, JSON that is no object, no body at all', async () => {
      const { headers } = malformed;
      for (const body of ['{"name":', '[]', '"x"', 'null', '7']) {
        expectProblem(await send(ada, pathOf(rule), { headers, body }), 400, 'malformed-body');
      }
      expectProblem(await send(ada, pathOf(rule), {}), 400, 'malformed-body');
    });
  });
});
