import { expect } from 'chai';
import {
  aMember,
  aRule,
  aVerifiedUser,
  aZone,
  type RuleBody,
  rulesOf,
  someConditions,
  type User,
  type ZoneBody,
} from './support/arrange.ts';
import { expectProblem, type Reply, statusCounts } from './support/client.ts';
import { withDocumentation } from './support/documentation-link.ts';
import { openService, type TestService } from './support/service.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const plain = { accept: 'application/json' };

describe('Configuration rules', () => {
  let service: TestService;
  let ada: User;
  let viewer: User;
  let stranger: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openService();
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
  const namesIn = (reply: Reply): string[] => (reply.json() as readonly RuleBody[]).map(({ name }) => name);

  /** The names of the zone's rules in evaluation order; fails unless their positions are 1..n. */
  async function order(): Promise<string> {
    const rules = (await ada.get(`${rulesOf(zone)}?itemsPerPage=100`, plain)).json() as readonly RuleBody[];
    expect(rules.map((rule) => rule.order)).to.deep.equal(rules.map((_, index) => index + 1));
    return rules.map(({ name }) => name).join(' ');
  }

  describe('POST /api/zones/{zoneId}/configuration-rules', () => {
    const create = (body: unknown, headers: Readonly<Record<string, string>> = plain) =>
      ada.post(rulesOf(zone), body, headers);

    it('answers 201 with the rule as linked data, filled with defaults', async () => {
      const conditions = someConditions();
      const reply = await create({ name: ' API ', conditions }, {});
      expect(reply.status).to.equal(201);
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      const { id, createdAt, updatedAt, ...rule } = reply.json() as RuleBody;
      expect(rule).to.deep.equal({
        '@context': '/api/contexts/ConfigurationRule',
        '@id': `${rulesOf(zone)}/${id}`,
        '@type': 'ConfigurationRule',
        zone: `/api/zones/${zone.id}`,
        name: 'API',
        description: '',
        conditions,
        order: 1,
        enabled: true,
        stopOnMatch: false,
        settingsOverrides: {},
      });
      expect(createdAt).to.match(timestamp);
      expect(updatedAt).to.equal(createdAt);
      expect(reply.headers.get('location')).to.equal(`${rulesOf(zone)}/${id}`);
    });

    it('gives back conditions and overrides as they were written', async () => {
      const conditions = {
        logic: 'ANY',
        conditions: [
          { field: 'header', operator: 'startsWith', target: 'X-Beta', value: 'Yes' },
          { field: 'country', operator: 'in', value: 'de, AT' },
          { field: 'cookie', operator: 'exists', target: 'session' },
        ],
      };
      const settingsOverrides = {
        headersResponseSet: [{ name: 'X-Frame-Options', value: 'DENY' }],
        cachingDefaultTtl: 60,
        enabled: false,
      };
      const rule = await aRule(ada, zone, { conditions, settingsOverrides });
      expect(rule).to.deep.include({ conditions, settingsOverrides });
      expect(await read(rule)).to.deep.equal(rule);
    });

    it('appends without an order, inserts at one, and clamps what lies outside', async () => {
      await aRule(ada, zone, { name: 'a' });
      await aRule(ada, zone, { name: 'b' });
      await aRule(ada, zone, { name: 'c', order: 1 });
      await aRule(ada, zone, { name: 'd', order: 99 });
      await aRule(ada, zone, { name: 'e', order: -7 });
      await aRule(ada, zone, { name: 'f', order: 3 });
      expect(await order()).to.equal('e c f a b d');
    });

    it('keeps the order free of gaps when ten rules are created at once', async () => {
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          create({ name: `r${index}`, conditions: someConditions(), order: (index % 3) + 1 }),
        ),
      );
      expect(statusCounts(replies)).to.deep.equal({ 201: 10 });
      expect((await order()).split(' ')).to.have.length(10);
    });

    it('answers 422 to a name that another rule of the zone has, in any letter case', async () => {
      await aRule(ada, zone, { name: 'Images' });
      const reply = await create({ name: ' iMAGES', conditions: someConditions() });
      expectProblem(reply, 422, 'validation-failed', ['name: rule.name.duplicate']);
    });

    it('answers 422 to conditions that another rule of the zone has, however they are written', async () => {
      const [one, other] = [
        { field: 'uri', operator: 'equals', value: '/a' },
        { field: 'method', operator: 'equals', value: 'POST' },
      ];
      await aRule(ada, zone, { conditions: { logic: 'and', conditions: [one, other] } });
      const again = { logic: 'ALL', conditions: [other, { ...one, field: 'path', operator: 'eq' }] };
      expectProblem(await create({ name: 'again', conditions: again }), 422, 'validation-failed', [
        'conditions: rule.conditions.duplicate',
      ]);
    });

    it('answers 201 to the same name and conditions in another zone', async () => {
      const conditions = someConditions();
      await aRule(ada, zone, { name: 'same', conditions });
      await aRule(ada, await aZone(ada), { name: 'same', conditions });
    });

    it('takes its own zone as IRI or id, and answers 422 to another one', async () => {
      for (const [index, given] of [zone.id, `/api/zones/${zone.id}`].entries()) {
        await aRule(ada, zone, { name: `in ${index}`, zone: given });
      }
      const other = await aZone(ada);
      const reply = await create({ name: 'x', conditions: someConditions(), zone: `/api/zones/${other.id}` });
      expectProblem(reply, 422, 'validation-failed', ['zone: zone.change']);
    });

    it('takes what GET gave of a rule of another zone once the zone is left out', async () => {
      const rule = await aRule(ada, zone, { settingsOverrides: { minifyHtml: true } });
      const { zone: _, ...body } = (await ada.get(pathOf(rule))).json() as RuleBody;
      const target = await aZone(ada);
      const reply = await ada.send('POST', rulesOf(target), {
        headers: { 'content-type': 'application/ld+json', ...plain },
        body: JSON.stringify(body),
      });
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.json()).to.deep.include({
        name: rule.name,
        conditions: rule.conditions,
        settingsOverrides: { minifyHtml: true },
        zone: `/api/zones/${target.id}`,
      });
    });

    it('answers 422 and names everything that is wrong at once', async () => {
      const reply = await create({
        description: 7,
        conditions: { logic: 'xor', conditions: [{ field: 'header', operator: 'equals', value: 'x' }] },
        order: 'first',
        enabled: 'yes',
        priority: 1,
        settingsOverrides: { cachingDefaultTtl: -1, underAttack: true },
      });
      const { violations } = reply.json() as { violations: readonly { propertyPath: string; code: string }[] };
      expect(reply.status).to.equal(422);
      expect(violations.map(({ propertyPath, code }) => `${propertyPath}: ${code}`)).to.have.members([
        'name: member.required',
        'description: member.type',
        'conditions.logic: condition.logic',
        'conditions.conditions[0].target: condition.target.required',
        'order: member.type',
        'enabled: member.type',
        'priority: member.unknown',
        'settingsOverrides.cachingDefaultTtl: settings.range',
        'settingsOverrides.underAttack: member.unknown',
      ]);
    });

    for (const [what, members, violation] of [
      ['no conditions', { conditions: undefined }, 'conditions: member.required'],
      ['null as conditions', { conditions: null }, 'conditions: member.required'],
      [
        'an empty list of conditions',
        { conditions: { logic: 'and', conditions: [] } },
        'conditions.conditions: list.tooShort',
      ],
      ['U+0000 in a name', { name: 'a\0' }, 'name: text.control'],
      ['U+0000 in a description', { description: 'a\0' }, 'description: text.control'],
      [
        'U+0000 in a condition',
        { conditions: someConditions('/a\0') },
        'conditions.conditions[0].value: condition.value.control',
      ],
      [
        'a lone surrogate in a condition',
        { conditions: someConditions('/a\ud800') },
        'conditions.conditions[0].value: condition.value.encoding',
      ],
      ['a description of 1001 characters', { description: 'a'.repeat(1001) }, 'description: text.tooLong'],
      ['a fraction as order', { order: 1.5 }, 'order: member.type'],
      ['a list of overrides', { settingsOverrides: [] }, 'settingsOverrides: member.type'],
      [
        'overrides that do not fit the zone',
        { settingsOverrides: { imageOptimizationPngQualityMin: 90 } },
        'settingsOverrides.imageOptimizationPngQualityMin: settings.quality.order',
      ],
      [
        'a backend that does not exist',
        { settingsOverrides: { defaultBackend: { type: 'load_balancer', id: missingId } } },
        'settingsOverrides.defaultBackend: backend.unknown',
      ],
    ] as const) {
      it(`answers 422 to ${what}`, async () => {
        const reply = await create({ name: 'x', conditions: someConditions(), ...members });
        expectProblem(reply, 422, 'validation-failed', [violation]);
      });
    }

    it('answers 422 to the 101st rule of a zone', async () => {
      await service.database.none(
        `INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, content, rank)
         SELECT gen_random_uuid(), $<id>, 'configurationRule', i::text, sha256(i::text::bytea), '{}', i
         FROM generate_series(1, 100) AS i`,
        zone,
      );
      const reply = await create({ name: 'one more', conditions: someConditions() });
      expectProblem(reply, 422, 'validation-failed', [': zone.configurationRules.limit']);
    });

    it('answers 201 to editors, 403 to viewers and strangers', async () => {
      const editor = await aMember(service, ada, 'editor');
      await aRule(editor, zone);
      for (const user of [viewer, stranger]) {
        const reply = await user.post(rulesOf(zone), { name: 'x', conditions: someConditions() });
        expectProblem(reply, 403, 'forbidden');
      }
    });

    it('answers 404 in a zone that does not exist', async () => {
      for (const id of [missingId, 'abc']) {
        const reply = await ada.post(rulesOf({ id }), { name: 'x', conditions: someConditions() });
        expectProblem(reply, 404, 'not-found');
      }
    });
  });

  describe('GET /api/zones/{zoneId}/configuration-rules', () => {
    beforeEach(async () => {
      for (const name of ['images', 'API v1', 'api_v2', '50%']) await aRule(ada, zone, { name });
    });
    const list = (query = '') => ada.get(`${rulesOf(zone)}${query}`, plain);

    it('answers 200 with a collection as linked data, in evaluation order', async () => {
      const reply = await ada.get(`${rulesOf(zone)}?itemsPerPage=3`);
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      const { member, ...collection } = reply.json() as { member: readonly (RuleBody & { '@id': string })[] };
      const at = (page: number) => `${rulesOf(zone)}?itemsPerPage=3&page=${page}`;
      const mapping = (variable: string) => ({
        '@type': 'IriTemplateMapping',
        variable,
        property: 'name',
        required: false,
      });
      expect(collection).to.deep.equal({
        '@context': '/api/contexts/ConfigurationRule',
        '@id': rulesOf(zone),
        '@type': 'Collection',
        totalItems: 4,
        view: { '@id': at(1), '@type': 'PartialCollectionView', first: at(1), last: at(2), next: at(2) },
        search: {
          '@type': 'IriTemplate',
          template: `${rulesOf(zone)}{?name,name[]}`,
          variableRepresentation: 'BasicRepresentation',
          mapping: [mapping('name'), mapping('name[]')],
        },
      });
      expect(member.map(({ name }) => name)).to.deep.equal(['images', 'API v1', 'api_v2']);
      const [first] = member;
      const { '@id': iri, ...rule } = first ?? expect.fail('no member');
      expect(iri).to.equal(pathOf(rule));
      expect(rule).to.deep.equal({ '@type': 'ConfigurationRule', ...(await read(rule)) });
    });

    it('answers 200 with a bare array as plain JSON', async () => {
      const reply = await list('?itemsPerPage=2&page=2');
      expect(namesIn(reply)).to.deep.equal(['api_v2', '50%']);
      expect(reply.headers.get('x-total-count')).to.equal('4');
      const at = (page: number) => `<${rulesOf(zone)}?itemsPerPage=2&page=${page}>`;
      expect(reply.headers.get('link')).to.equal(
        withDocumentation(service, `${at(1)}; rel="first", ${at(1)}; rel="prev", ${at(2)}; rel="last"`),
      );
    });

    it('filters by parts of names in any letter case, literally', async () => {
      expect(namesIn(await list('?name=API'))).to.deep.equal(['API v1', 'api_v2']);
      expect(namesIn(await list('?name=%25'))).to.deep.equal(['50%']);
      expect(namesIn(await list('?name=_'))).to.deep.equal(['api_v2']);
      expect(namesIn(await list('?name[]=imag&name[]=v2'))).to.deep.equal(['images', 'api_v2']);
      expect(namesIn(await list('?name=')).length).to.equal(4);
      expect((await list('?name=api')).headers.get('x-total-count')).to.equal('2');
    });

    it('answers 400 to a repeated name without brackets and to U+0000', async () => {
      expectProblem(await list('?name=a&name=b'), 400, 'invalid-query', ['name: query.repeated']);
      expectProblem(await list('?name=%00'), 400, 'invalid-query', ['name: text.control']);
    });

    it('answers 400 to page=0 and 200 without items to itemsPerPage=0', async () => {
      expectProblem(await list('?page=0'), 400, 'invalid-query', ['page: number.range']);
      const reply = await list('?itemsPerPage=0');
      expect(reply.text).to.equal('[]');
      expect(reply.headers.get('x-total-count')).to.equal('4');
    });

    it('answers 200 to viewers, 403 to strangers, 404 in a zone that does not exist', async () => {
      expect((await viewer.get(rulesOf(zone))).status).to.equal(200);
      expectProblem(await stranger.get(rulesOf(zone)), 403, 'forbidden');
      expectProblem(await ada.get(rulesOf({ id: missingId })), 404, 'not-found');
    });
  });

  describe('GET /api/zones/{zoneId}/configuration-rules/{id}', () => {
    it('answers 200 with the rule as linked data, and 304 while it is unchanged', async () => {
      const rule = await aRule(ada, zone);
      const reply = await ada.get(pathOf(rule));
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      expect(reply.json()).to.deep.equal({
        '@context': '/api/contexts/ConfigurationRule',
        '@id': pathOf(rule),
        '@type': 'ConfigurationRule',
        ...rule,
      });
      expect(reply.headers.get('cache-control')).to.equal('private, no-cache');
      const tag = reply.headers.get('etag') ?? '';
      expect((await ada.get(pathOf(rule), { 'if-none-match': tag })).status).to.equal(304);
      await ada.patch(pathOf(rule), { enabled: false });
      expect((await ada.get(pathOf(rule), { 'if-none-match': tag })).status).to.equal(200);
    });

    it('has another entity tag after a sibling pushed it aside', async () => {
      const rule = await aRule(ada, zone);
      const tag = await tagOf(rule);
      await aRule(ada, zone, { order: 1 });
      expect(await tagOf(rule)).not.to.equal(tag);
    });

    it('answers 404 to a rule that does not exist, or exists in another zone', async () => {
      const elsewhere = await aZone(ada);
      const rule = await aRule(ada, elsewhere);
      for (const id of [missingId, 'abc', rule.id]) expectProblem(await ada.get(pathOf({ id })), 404, 'not-found');
    });

    it('answers 200 to viewers, 403 to strangers, 404 in a zone that does not exist', async () => {
      const rule = await aRule(ada, zone);
      expect((await viewer.get(pathOf(rule))).status).to.equal(200);
      expectProblem(await stranger.get(pathOf(rule)), 403, 'forbidden');
      expectProblem(await ada.get(`${rulesOf({ id: missingId })}/${rule.id}`), 404, 'not-found');
    });
  });

  describe('DELETE /api/zones/{zoneId}/configuration-rules/{id}', () => {
    it('answers 204 without a body and closes the gap', async () => {
      const rules = [];
      for (const name of ['a', 'b', 'c']) rules.push(await aRule(ada, zone, { name }));
      const reply = await ada.delete(pathOf(rules[1] ?? expect.fail('no b')));
      expect({ status: reply.status, text: reply.text }).to.deep.equal({ status: 204, text: '' });
      expect(await order()).to.equal('a c');
    });

    it('answers 404 the second time, and to a rule of another zone', async () => {
      const rule = await aRule(ada, zone);
      await ada.delete(pathOf(rule));
      expectProblem(await ada.delete(pathOf(rule)), 404, 'not-found');
      const elsewhere = await aRule(ada, await aZone(ada));
      expectProblem(await ada.delete(pathOf(elsewhere)), 404, 'not-found');
    });

    it('answers 403 to viewers and strangers', async () => {
      const rule = await aRule(ada, zone);
      for (const user of [viewer, stranger]) expectProblem(await user.delete(pathOf(rule)), 403, 'forbidden');
    });

    it('answers 412 when the rule is not what the client read', async () => {
      const rule = await aRule(ada, zone);
      const stale = await tagOf(rule);
      await aRule(ada, zone, { order: 1 });
      expectProblem(await ada.delete(pathOf(rule), { 'if-match': stale }), 412, 'precondition-failed');
      expect((await ada.delete(pathOf(rule), { 'if-match': await tagOf(rule) })).status).to.equal(204);
    });
  });
});
