import { expect } from 'chai';
import { aVerifiedUser, aZone, type User, type ZoneBody } from './arrange.ts';
import { clientOf, expectProblem, type Reply } from './client.ts';
import { type MemoryService, openMemoryService } from './memory-service.ts';

/** A request or response body. */
export type Body = Readonly<Record<string, unknown>>;

/** Members common to rules of every kind. */
export interface NestedRule extends Body {
  readonly id: string;
  readonly zone: string;
  readonly name: string;
  readonly order?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A rule kind from a client's view. */
export interface NestedKind {
  readonly type: string;
  /** Path segment below the zone. */
  readonly collection: string;
  /** Member of the zone. */
  readonly member: string;
  readonly limit: number;
  /** The zone's usage counter and its limit. */
  readonly counter: readonly [name: string, limit: number];
  /** A minimal valid body with unique values. */
  readonly least: () => Body;
  /** Additional members of a rule created from the minimal body. */
  readonly defaults: (least: Body) => Body;
  /** A member and another valid value. */
  readonly change: readonly [member: string, value: unknown];
}

/** The environment of a suite: a zone and its owner. */
export interface NestedPlace {
  readonly ada: User;
  readonly zone: ZoneBody;
  /** The list's path, by default in the suite's zone. */
  readonly path: (zone?: { readonly id: string }) => string;
  readonly create: (members?: Body) => Promise<NestedRule>;
  readonly post: (body: unknown) => Promise<Reply>;
  readonly list: () => Promise<readonly NestedRule[]>;
}

export const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const formats = ['application/json', 'application/ld+json'] as const;
const [plain, linked] = [{ accept: formats[0] }, { accept: formats[1] }];
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Opens a service for the suite and creates a zone for each test; the place is available inside tests only. */
export function usePlace({ collection, least }: Pick<NestedKind, 'collection' | 'least'>): () => NestedPlace {
  let place: NestedPlace;
  let service: MemoryService;
  let ada: User;
  before(async () => {
    service = await openMemoryService();
    const user = await aVerifiedUser(service);
    // Kinds differ in their default format.
    ada = { ...user, ...clientOf(service.url, { authorization: `Bearer ${user.token}`, ...plain }) };
  });
  beforeEach(async () => {
    const zone = await aZone(ada);
    const path: NestedPlace['path'] = ({ id } = zone) => `/api/zones/${id}/${collection}`;
    const post = (body: unknown) => ada.post(path(), body);
    const create = async (members: Body = {}) => {
      const reply = await post({ ...least(), ...members });
      expect(reply.status, reply.text).to.equal(201);
      return reply.json() as NestedRule;
    };
    const list = async () => (await ada.get(`${path()}?itemsPerPage=100`)).json() as readonly NestedRule[];
    place = { ada, zone, path, post, create, list };
  });
  after(() => service.close());
  return () => place;
}

/** Shared tests for all rule kinds; each kind adds its own. */
export function behavesAsNestedRules(kind: NestedKind, at: () => NestedPlace): void {
  const itemPath = ({ id }: { readonly id: string }) => `${at().path()}/${id}`;
  const inLinkedData = (rule: NestedRule) => ({ '@id': itemPath(rule), '@type': kind.type, ...rule });
  const context = { '@context': `/api/contexts/${kind.type}` };

  describe(`POST /api/zones/{zoneId}/${kind.collection}`, () => {
    it('answers 201 with the rule including defaults, and its address', async () => {
      const { ada, post, path, zone } = at();
      const least = kind.least();
      const reply = await post(least);
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const { id, createdAt, updatedAt, ...rule } = reply.json() as NestedRule;
      expect(rule).to.deep.equal({ zone: `/api/zones/${zone.id}`, ...least, ...kind.defaults(least) });
      expect(id).to.match(uuid);
      expect(createdAt).to.match(timestamp);
      expect(updatedAt).to.equal(createdAt);
      expect(reply.headers.get('location')).to.equal(`${path()}/${id}`);
      const another = await ada.post(path(), kind.least(), linked);
      expect(another.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      expect(another.json()).to.include({ ...context, '@type': kind.type });
    });

    it('answers 422 to unknown members and to another zone', async () => {
      const { ada, post, create, zone } = at();
      const rule = await create({ zone: zone.id });
      expect((await ada.patch(itemPath(rule), { zone: rule.zone })).status).to.equal(200);
      const body = kind.least();
      expectProblem(await post({ ...body, nmae: 'x', priority: null }), 422, 'validation-failed', [
        'nmae: member.unknown',
        'priority: member.unknown',
      ]);
      const other = await aZone(ada);
      for (const reference of [other.id, `/api/zones/${other.id}`, 7, [zone.id]]) {
        for (const refused of [post({ ...body, zone: reference }), ada.patch(itemPath(rule), { zone: reference })])
          expectProblem(await refused, 422, 'validation-failed', ['zone: zone.change']);
      }
    });
  });

  it(`GET /api/zones/{zoneId}/${kind.collection} answers 200 with a page of rules, in both formats`, async () => {
    const { ada, create, path } = at();
    const rules = [await create({ name: 'alpha' }), await create({ name: 'beta' }), await create({ name: 'gamma' })];
    const reply = await ada.get(`${path()}?itemsPerPage=2`);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(reply.headers.get('x-total-count')).to.equal('3');
    expect(reply.json()).to.deep.equal(rules.slice(0, 2));
    const collection = (await ada.get(`${path()}?name=ET`, linked)).json();
    const found = { '@id': path(), '@type': 'Collection', totalItems: 1, member: rules.slice(1, 2).map(inLinkedData) };
    expect(collection).to.deep.include({ ...context, ...found });
  });

  it(`GET, PATCH and DELETE /api/zones/{zoneId}/${kind.collection}/{id} answer 200, 200 and 204`, async () => {
    const { ada, create, list } = at();
    const [rule, other] = [await create(), await create()];
    expect((await ada.get(itemPath(rule))).json()).to.deep.equal(rule);
    expect((await ada.get(itemPath(rule), linked)).json()).to.deep.equal({ ...context, ...inLinkedData(rule) });
    const [member, value] = kind.change;
    const reply = await ada.patch(itemPath(rule), { [member]: value });
    expect(reply.status, reply.text).to.equal(200);
    const changed = reply.json() as NestedRule;
    const { updatedAt, definition } = changed;
    const generated = definition === undefined ? {} : { definition };
    expect(changed).to.deep.equal({ ...rule, [member]: value, updatedAt, ...generated });
    expect(Date.parse(updatedAt)).to.be.at.least(Date.parse(rule.updatedAt));
    expect((await ada.get(itemPath(rule))).json()).to.deep.equal(changed);
    const { status, text } = await ada.delete(itemPath(rule));
    expect([status, text]).to.deep.equal([204, '']);
    expectProblem(await ada.delete(itemPath(rule)), 404, 'not-found');
    expect((await list()).map(({ id }) => id)).to.deep.equal([other.id]);
  });

  it(`equal the ${kind.member} of GET /api/zones/{id} in both formats, which counts them`, async () => {
    const { ada, create, zone } = at();
    const rules = [await create(), await create()];
    const read = async (accept: string) =>
      (await ada.get(`/api/zones/${zone.id}`, { accept })).json() as Body & { readonly usage: Body };
    const { usage, ...members } = await read(formats[0]);
    expect(members[kind.member]).to.deep.equal(rules);
    const [counter, limit] = kind.counter;
    expect(usage[kind.member]).to.deep.equal({ used: 2, limit: kind.limit });
    expect(usage[counter]).to.deep.equal({ used: 2, limit });
    expect((await read(formats[1]))[kind.member]).to.deep.equal(rules.map(inLinkedData));
  });
}

/** Additional tests for ordered rule kinds. */
export function behavesAsOrderedRules(kind: NestedKind, at: () => NestedPlace): void {
  it('are moved by POST …/move, and replaced by PUT with the entity tag of the list', async () => {
    const { ada, create, list, path } = at();
    const names = async () => (await list()).map(({ order, name }) => `${order} ${name}`);
    const rules = [await create({ name: 'a' }), await create({ name: 'b' }), await create({ name: 'c' })] as const;
    const [a, b, c] = rules;
    const moved = await ada.post(`${path()}/${c.id}/move`, { before: a.id });
    expect(moved.headers.get('rule-positions')).to.equal(
      [c, a, b].map(({ id }, index) => `"${id}";order=${index + 1}`).join(', '),
    );
    expect(await names()).to.deep.equal(['1 c', '2 a', '3 b']);
    expectProblem(await ada.put(path(), []), 428, 'precondition-required');
    const tag = (await ada.get(path())).headers.get('etag') ?? '';
    const replaced = await ada.put(path(), [b, { ...kind.least(), name: 'd' }, a], { 'if-match': tag });
    expect(replaced.status, replaced.text).to.equal(200);
    expect(await names()).to.deep.equal(['1 b', '2 d', '3 a']);
    expectProblem(await ada.put(path(), [], { 'if-match': tag }), 412, 'precondition-failed');
  });
}

/** Tests that rules with these members besides the minimal ones are stored as written. */
export function storesAsWritten(
  { least }: NestedKind,
  at: () => NestedPlace,
  rules: readonly (readonly [what: string, members: Body])[],
): void {
  for (const [what, members] of rules) {
    it(what, async () => {
      const reply = await at().post({ ...least(), ...members });
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.json()).to.deep.include(members);
    });
  }
}

/** Tests that rules with these members besides the minimal ones are refused with these violations: `path: code`. */
export function refusesAll(
  { least }: NestedKind,
  at: () => NestedPlace,
  rules: readonly (readonly [what: string, members: Body, ...violations: readonly string[]])[],
): void {
  describe('answer 422', () => {
    for (const [what, members, ...violations] of rules) {
      it(`to ${what}`, async () => {
        expectProblem(await at().post({ ...least(), ...members }), 422, 'validation-failed', violations);
        expect(await at().list()).to.be.empty;
      });
    }
  });
}
