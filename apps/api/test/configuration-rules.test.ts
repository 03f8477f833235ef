import { expect } from 'chai';
import {
  aRule,
  aVerifiedUser,
  aZone,
  type RuleBody,
  rulesOf,
  someConditions,
  type User,
  type ZoneBody,
} from './support/arrange.ts';
import { expectProblem, type Reply } from './support/client.ts';
import { withDocumentation } from './support/documentation-link.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const plain = { accept: 'application/json' };

describe('Configuration rules', () => {
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

  const pathOf = ({ id }: Pick<RuleBody, 'id'>) => `${rulesOf(zone)}/${id}`;
  const read = async (rule: Pick<RuleBody, 'id'>) => (await ada.get(pathOf(rule), plain)).json() as RuleBody;
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

    it('returns conditions and overrides as written', async () => {
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

    it('appends by default, inserts at a position, and clamps positions out of range', async () => {
      await aRule(ada, zone, { name: 'a' });
      await aRule(ada, zone, { name: 'b' });
      await aRule(ada, zone, { name: 'c', order: 1 });
      await aRule(ada, zone, { name: 'd', order: 99 });
      await aRule(ada, zone, { name: 'e', order: -7 });
      await aRule(ada, zone, { name: 'f', order: 3 });
      expect(await order()).to.equal('e c f a b d');
    });

    it('accepts its own zone as IRI or id, and answers 422 to another one', async () => {
      for (const [index, reference] of [zone.id, `/api/zones/${zone.id}`].entries()) {
        await aRule(ada, zone, { name: `in ${index}`, zone: reference });
      }
      const other = await aZone(ada);
      const reply = await create({ name: 'x', conditions: someConditions(), zone: `/api/zones/${other.id}` });
      expectProblem(reply, 422, 'validation-failed', ['zone: zone.change']);
    });

    it('accepts what GET returned for a rule of another zone without the zone', async () => {
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

    it('answers 422 with all errors at once', async () => {
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

    it('filters by substrings of names, ignoring case, literally', async () => {
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

    it('answers 404 to a rule that does not exist or belongs to another zone', async () => {
      const elsewhere = await aZone(ada);
      const rule = await aRule(ada, elsewhere);
      for (const id of [missingId, 'abc', rule.id]) expectProblem(await ada.get(pathOf({ id })), 404, 'not-found');
    });
  });

  describe('DELETE /api/zones/{zoneId}/configuration-rules/{id}', () => {
    it('answers 204 without a body and closes the gap in the order', async () => {
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
  });
});
