import { expect } from 'chai';
import { aMember, anApiToken, aRule, aVerifiedUser, aZone, type User, type ZoneBody } from './arrange.ts';
import { type Client, expectProblem, type Reply } from './client.ts';
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
  /** The error code of a name in use. */
  readonly nameTaken: string;
}

/** The environment of a suite: a zone, its owner, a reader and an outsider. */
export interface NestedPlace {
  readonly service: MemoryService;
  readonly ada: User;
  readonly viewer: User;
  readonly stranger: User;
  readonly readOnly: Client;
  readonly zone: ZoneBody;
  /** The list's path, by default in the suite's zone. */
  readonly path: (zone?: { readonly id: string }) => string;
  readonly create: (members?: Body) => Promise<NestedRule>;
  readonly post: (body: unknown) => Promise<Reply>;
  readonly list: () => Promise<readonly NestedRule[]>;
}

export const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const linked = { accept: 'application/ld+json' };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Opens a service for the suite and creates a zone for each test; the place is available inside tests only. */
export function usePlace({ collection, least }: Pick<NestedKind, 'collection' | 'least'>): () => NestedPlace {
  let place: NestedPlace;
  let people: Pick<NestedPlace, 'service' | 'ada' | 'viewer' | 'stranger' | 'readOnly'>;
  before(async () => {
    const service = await openMemoryService();
    const [ada, stranger] = await Promise.all([aVerifiedUser(service), aVerifiedUser(service)]);
    const [viewer, readOnly] = await Promise.all([
      aMember(service, ada, 'viewer'),
      anApiToken(ada, { readOnly: true }),
    ]);
    people = { service, ada, viewer, stranger, readOnly };
  });
  beforeEach(async () => {
    const { ada } = people;
    const zone = await aZone(ada);
    const path: NestedPlace['path'] = ({ id } = zone) => `/api/zones/${id}/${collection}`;
    const post = (body: unknown) => ada.post(path(), body);
    const create = async (members: Body = {}) => {
      const reply = await post({ ...least(), ...members });
      expect(reply.status, reply.text).to.equal(201);
      return reply.json() as NestedRule;
    };
    const list = async () => (await ada.get(`${path()}?itemsPerPage=100`)).json() as readonly NestedRule[];
    place = { ...people, zone, path, post, create, list };
  });
  after(() => people.service.close());
  return () => place;
}

/** Shared tests for all rule kinds; each kind adds its own. */
export function behavesAsNestedRules(kind: NestedKind, at: () => NestedPlace): void {
  const itemPath = ({ id }: { readonly id: string }) => `${at().path()}/${id}`;
  const tagOf = ({ headers }: Reply) => headers.get('etag') ?? expect.fail('no ETag');

  describe(`POST /api/zones/{zoneId}/${kind.collection}`, () => {
    it('answers 201 with the rule including defaults, and its address', async () => {
      const { post, path, zone } = at();
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
    });

    it('answers 201 with linked data on demand', async () => {
      const { ada, path } = at();
      const reply = await ada.post(path(), kind.least(), linked);
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      const { id, ...rule } = reply.json() as NestedRule;
      expect(rule).to.include({
        '@context': `/api/contexts/${kind.type}`,
        '@id': `${path()}/${id}`,
        '@type': kind.type,
      });
    });

    it('accepts what GET returned for a rule of another zone without the zone, in either format', async () => {
      const { ada, create, path } = at();
      const [member, value] = kind.change;
      const rule = await create({ [member]: value });
      for (const [accept, type] of [
        ['application/json', 'application/json'],
        ['application/ld+json', 'application/ld+json'],
      ] as const) {
        const { zone: _, ...body } = (await ada.get(itemPath(rule), { accept })).json() as NestedRule;
        const target = path(await aZone(ada));
        const reply = await ada.post(target, body, { 'content-type': type, accept: 'application/json' });
        expect(reply.status, reply.text).to.equal(201);
        const copy = reply.json() as NestedRule;
        const { id, zone, createdAt, updatedAt } = copy;
        expect(copy).to.deep.equal({ ...rule, id, zone, createdAt, updatedAt });
        expect(id).not.to.equal(rule.id);
      }
    });

    it('answers 422 to unknown members and to another zone', async () => {
      const { ada, post } = at();
      const body = kind.least();
      expectProblem(await post({ ...body, nmae: 'x', priority: null }), 422, 'validation-failed', [
        'nmae: member.unknown',
        'priority: member.unknown',
      ]);
      const zone = `/api/zones/${(await aZone(ada)).id}`;
      expectProblem(await post({ ...body, zone }), 422, 'validation-failed', ['zone: zone.change']);
    });
  });

  describe(`GET /api/zones/{zoneId}/${kind.collection}`, () => {
    it('answers 200 with a bare array, paginated and filtered by part of the name', async () => {
      const { ada, create, path } = at();
      const rules = [await create({ name: 'alpha' }), await create({ name: 'beta' }), await create({ name: 'gamma' })];
      const [first, second] = [`${path()}?itemsPerPage=2`, `${path()}?itemsPerPage=2&page=2`];
      const reply = await ada.get(first);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(reply.headers.get('x-total-count')).to.equal('3');
      expect([...(reply.json() as unknown[]), ...((await ada.get(second)).json() as unknown[])]).to.deep.equal(rules);
      const found = (await ada.get(`${path()}?name=ET`)).json();
      expect(found).to.deep.equal([rules[1]]);
    });

    it('answers 200 with a collection of linked items, each equal to its own read', async () => {
      const { ada, create, path } = at();
      const rule = await create();
      const { '@context': _, ...item } = (await ada.get(itemPath(rule), linked)).json() as Body;
      const collection = (await ada.get(path(), linked)).json();
      expect(collection).to.deep.include({
        '@context': `/api/contexts/${kind.type}`,
        '@id': path(),
        '@type': 'Collection',
        totalItems: 1,
        member: [item],
      });
    });
  });

  describe(`GET /api/zones/{zoneId}/${kind.collection}/{id}`, () => {
    it('answers 200 with the rule in either format, and 304 until it changes', async () => {
      const { ada, create } = at();
      const rule = await create();
      const reply = await ada.get(itemPath(rule));
      expect(reply.json()).to.deep.equal(rule);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(reply.headers.get('cache-control')).to.equal('private, no-cache');
      const [context, iri, type] = [`/api/contexts/${kind.type}`, itemPath(rule), kind.type];
      const inLinkedData = await ada.get(itemPath(rule), linked);
      expect(inLinkedData.json()).to.deep.equal({ '@context': context, '@id': iri, '@type': type, ...rule });
      const known = { 'if-none-match': tagOf(reply) };
      expect((await ada.get(itemPath(rule), known)).status).to.equal(304);
      const [member, value] = kind.change;
      await ada.patch(itemPath(rule), { [member]: value });
      expect((await ada.get(itemPath(rule), known)).status).to.equal(200);
    });

    it('answers 404 to rules of another zone or kind, and to invalid ids', async () => {
      const { ada, create, path, zone } = at();
      const other = await aRule(ada, zone);
      const foreign = (await ada.post(path(await aZone(ada)), kind.least())).json() as NestedRule;
      for (const id of [other.id, foreign.id, missingId, 'abc']) {
        expectProblem(await ada.get(itemPath({ id })), 404, 'not-found');
      }
      const { id } = await create();
      expectProblem(await ada.get(`/api/zones/${zone.id}/configuration-rules/${id}`), 404, 'not-found');
    });
  });

  describe(`PATCH /api/zones/{zoneId}/${kind.collection}/{id}`, () => {
    it('answers 200 with the rule, one member changed', async () => {
      const { ada, create } = at();
      const [member, value] = kind.change;
      const rule = await create();
      const reply = await ada.patch(itemPath(rule), { [member]: value });
      expect(reply.status, reply.text).to.equal(200);
      const changed = reply.json() as NestedRule;
      const { updatedAt, definition } = changed;
      expect(changed).to.deep.equal({
        ...rule,
        [member]: value,
        updatedAt,
        ...(definition === undefined ? {} : { definition }),
      });
      expect(Date.parse(updatedAt)).to.be.at.least(Date.parse(rule.updatedAt));
      expect((await ada.get(itemPath(rule))).json()).to.deep.equal(changed);
    });

    it('accepts what GET returned, in either format, and changes nothing', async () => {
      const { ada, create, zone } = at();
      const [member, value] = kind.change;
      const rule = await create({ [member]: value });
      const tag = tagOf(await ada.get(`/api/zones/${zone.id}`));
      for (const accept of ['application/json', 'application/ld+json']) {
        const body = (await ada.get(itemPath(rule), { accept })).json();
        const reply = await ada.patch(itemPath(rule), body);
        expect(reply.status, reply.text).to.equal(200);
        expect(reply.json()).to.deep.equal(rule);
      }
      expect(tagOf(await ada.get(`/api/zones/${zone.id}`))).to.equal(tag);
    });
  });

  describe(`DELETE /api/zones/{zoneId}/${kind.collection}/{id}`, () => {
    it('answers 204 without a body, then 404', async () => {
      const { ada, create, list } = at();
      const [rule, other] = [await create(), await create()];
      const reply = await ada.delete(itemPath(rule));
      expect({ status: reply.status, text: reply.text }).to.deep.equal({ status: 204, text: '' });
      expectProblem(await ada.delete(itemPath(rule)), 404, 'not-found');
      expect((await list()).map(({ id }) => id)).to.deep.equal([other.id]);
    });
  });

  describe(`${kind.member} of GET /api/zones/{id}`, () => {
    it('equal the items of the list, in both formats, and are counted', async () => {
      const { ada, create, zone } = at();
      const rules = [await create(), await create()];
      const read = async (accept: string) =>
        (await ada.get(`/api/zones/${zone.id}`, { accept })).json() as Body & { readonly usage: Body };
      const { usage, ...plain } = await read('application/json');
      expect(plain[kind.member]).to.deep.equal(rules);
      const [counter, limit] = kind.counter;
      expect(usage[kind.member]).to.deep.equal({ used: 2, limit: kind.limit });
      expect(usage[counter]).to.deep.equal({ used: 2, limit });
      expect((await read('application/ld+json'))[kind.member]).to.deep.equal(
        rules.map((rule) => ({ '@id': itemPath(rule), '@type': kind.type, ...rule })),
      );
    });
  });
}

/** Additional tests for ordered rule kinds. */
export function behavesAsOrderedRules(kind: NestedKind, at: () => NestedPlace): void {
  const names = async () => {
    const rules = await at().list();
    expect(rules.map(({ order }) => order)).to.deep.equal(rules.map((_, index) => index + 1));
    return rules.map(({ name }) => name).join(' ');
  };
  const some = async (...wanted: readonly string[]) => {
    const rules: NestedRule[] = [];
    for (const name of wanted) rules.push(await at().create({ name }));
    return rules;
  };

  describe(`the order of ${kind.collection}`, () => {
    it('follows creation unless a position is given, clamped at both ends', async () => {
      const { create } = at();
      await some('a', 'b');
      for (const [name, order] of [
        ['c', 1],
        ['d', 99],
        ['e', -7],
        ['f', 3],
      ] as const)
        await create({ name, order });
      expect(await names()).to.equal('e c f a b d');
    });

    it('closes the gap of a deleted rule and follows a patched position', async () => {
      const { ada, path } = at();
      const [a, b] = await some('a', 'b', 'c', 'd');
      await ada.delete(`${path()}/${b?.id}`);
      const reply = await ada.patch(`${path()}/${a?.id}`, { order: 3 });
      expect((reply.json() as NestedRule).order).to.equal(3);
      expect(await names()).to.equal('c d a');
      for (const order of ['1', 1.5]) {
        const refused = await ada.patch(`${path()}/${a?.id}`, { order });
        expectProblem(refused, 422, 'validation-failed', ['order: member.type']);
      }
      const refused = await ada.patch(`${path()}/${a?.id}`, { order: null });
      expectProblem(refused, 422, 'validation-failed', ['order: member.required']);
    });

    it('changes when a rule is moved next to another, and with a new list', async () => {
      const { ada, path } = at();
      const [a, b, c] = await some('a', 'b', 'c');
      const moved = await ada.post(`${path()}/${c?.id}/move`, { before: a?.id });
      expect(moved.headers.get('rule-positions')).to.equal(
        [c, a, b].map((rule, index) => `"${rule?.id}";order=${index + 1}`).join(', '),
      );
      expect(await names()).to.equal('c a b');
      expectProblem(await ada.put(path(), []), 428, 'precondition-required');
      const tag = (await ada.get(path())).headers.get('etag') ?? '';
      const replaced = await ada.put(path(), [b, { ...kind.least(), name: 'd' }, a], { 'if-match': tag });
      expect(replaced.status, replaced.text).to.equal(200);
      expect(await names()).to.equal('b d a');
      expectProblem(await ada.put(path(), [], { 'if-match': tag }), 412, 'precondition-failed');
    });

    it('is independent of other kinds', async () => {
      const { ada, zone } = at();
      await aRule(ada, zone);
      const [a] = await some('a');
      expect(a?.order).to.equal(1);
    });
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
