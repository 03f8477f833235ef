import { expect } from 'chai';
import {
  aRule,
  aVerifiedUser,
  aZone,
  type RuleBody,
  rulesOf,
  someConditions,
  type User,
  unique,
  type ZoneBody,
} from './support/arrange.ts';
import { expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { positionsIn, positionsThatDiffer } from './support/rules.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const plain = { accept: 'application/json' };
const linked = { accept: 'application/ld+json' };
type Entry = Readonly<Record<string, unknown>>;

describe('The list of configuration rules as a whole', () => {
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
  const whole = () => `${rulesOf(zone)}?itemsPerPage=100`;
  const tagOf = ({ headers }: Reply) => headers.get('etag') ?? expect.fail('no ETag');
  const listTag = async (headers = plain) => tagOf(await ada.get(rulesOf(zone), headers));
  const rulesIn = (reply: Reply) => reply.json() as readonly RuleBody[];
  const list = async () => rulesIn(await ada.get(whole(), plain));
  const put = async (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ada.put(rulesOf(zone), body, { ...plain, 'if-match': await listTag(), ...headers });

  /** Creates rules with these names, in this order. */
  async function someRules<N extends string>(...names: readonly N[]): Promise<Readonly<Record<N, RuleBody>>> {
    const rules: [N, RuleBody][] = [];
    for (const name of names)
      rules.push([name, await aRule(ada, zone, { name, conditions: someConditions(`/${name}`) })]);
    return Object.fromEntries(rules) as Record<N, RuleBody>;
  }

  /** The names of the zone's rules in evaluation order; fails unless their positions are 1..n. */
  async function order(): Promise<string> {
    const rules = await list();
    expect(rules.map((rule) => rule.order)).to.deep.equal(rules.map((_, index) => index + 1));
    return rules.map(({ name }) => name).join(' ');
  }

  /** The request body of a new rule. */
  const anEntry = (members: Entry = {}): Entry => ({
    name: `new-${unique()}`,
    conditions: someConditions(),
    ...members,
  });

  describe('GET /api/zones/{zoneId}/configuration-rules', () => {
    const writes: Readonly<Record<string, (rules: Record<'a' | 'b', RuleBody>) => Promise<Reply>>> = {
      'a new rule': () => ada.post(rulesOf(zone), anEntry()),
      'a patch of a rule': ({ a }) => ada.patch(pathOf(a), { enabled: false }),
      'a patch of a position': ({ a }) => ada.patch(pathOf(a), { order: 2 }),
      'a move': ({ a, b }) => ada.post(`${pathOf(a)}/move`, { after: b.id }),
      'a deletion': ({ b }) => ada.delete(pathOf(b)),
      'a replacement of the list': () => ada.put(rulesOf(zone), [anEntry()], { 'if-match': '*' }),
    };
    for (const [what, write] of Object.entries(writes)) {
      it(`gets a new entity tag after ${what}`, async () => {
        const rules = await someRules('a', 'b');
        const before = await listTag();
        const reply = await write(rules);
        expect(reply.status, reply.text).to.be.oneOf([200, 201, 204]);
        expect(await listTag()).not.to.equal(before);
      });
    }

    it('has one entity tag for all pages and filters, and another for the other format', async () => {
      await someRules('a', 'b', 'c');
      const queries = ['', '?itemsPerPage=1', '?itemsPerPage=1&page=3', '?itemsPerPage=0', '?name=b'];
      const tags = await Promise.all(
        queries.map(async (query) => tagOf(await ada.get(`${rulesOf(zone)}${query}`, plain))),
      );
      expect(new Set(tags)).to.have.lengthOf(1);
      expect(await listTag(linked)).not.to.equal(tags[0]);
      expect(tags[0]).to.match(/^"[^"]+"$/);
    });
  });

  describe('PUT /api/zones/{zoneId}/configuration-rules', () => {
    it('answers 200 with the list and its new tag, in either format', async () => {
      const reply = await put([anEntry({ name: 'one' }), anEntry({ name: 'two' })]);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(reply.headers.get('x-total-count')).to.equal('2');
      expect(rulesIn(reply)).to.deep.equal(await list());
      expect(tagOf(reply)).to.equal(await listTag());
      const again = await put(rulesIn(reply), { ...linked, 'if-match': tagOf(reply) });
      expect(again.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      const { member, view: _, ...collection } = again.json() as { member: unknown; view: unknown };
      const { view: __, ...expected } = (await ada.get(rulesOf(zone), linked)).json() as {
        member: unknown;
        view: unknown;
      };
      expect({ member, ...collection }).to.deep.equal(expected);
      expect(tagOf(again)).to.equal(await listTag(linked));
    });

    it('accepts a collection as returned by GET, and rules identified only by IRI', async () => {
      const { a, b } = await someRules('a', 'b');
      const collection = (await ada.get(whole(), linked)).json() as { member: readonly Entry[] };
      const member = collection.member.map(({ id: _, ...entry }) => entry).toReversed();
      const reply = await ada.send('PUT', rulesOf(zone), {
        headers: { ...plain, 'content-type': 'application/ld+json', 'if-match': await listTag(linked) },
        body: JSON.stringify({ ...collection, member }),
      });
      expect(reply.status, reply.text).to.equal(200);
      expect(await list()).to.deep.equal([
        { ...b, order: 1 },
        { ...a, order: 2 },
      ]);
    });

    it('answers 412 with the current tag when the list has changed', async () => {
      const { a } = await someRules('a');
      const stale = await listTag();
      await ada.patch(pathOf(a), { description: 'meanwhile' });
      for (const condition of [stale, '"never"', 'garbage']) {
        const reply = await put([], { 'if-match': condition });
        expectProblem(reply, 412, 'precondition-failed');
        expect(tagOf(reply)).to.equal(await listTag());
      }
      expect(await order()).to.equal('a');
    });

    it('answers 422 with each violation at its position, in an array and in a collection', async () => {
      const { a, b } = await someRules('a', 'b');
      const entries = [
        { ...a, description: 7, nmae: 'x' },
        b,
        { conditions: { logic: 'xor', conditions: [] }, settingsOverrides: { cachingDefaultTtl: -1 } },
        7,
      ];
      const violations = [
        '[0].description: member.type',
        '[0].nmae: member.unknown',
        '[2].name: member.required',
        '[2].conditions.logic: condition.logic',
        '[2].conditions.conditions: list.tooShort',
        '[2].settingsOverrides.cachingDefaultTtl: settings.range',
        '[3]: member.type',
      ];
      expectProblem(await put(entries), 422, 'validation-failed', violations);
      const inCollection = violations.map((violation) => `member${violation}`);
      expectProblem(await put({ '@type': 'Collection', member: entries }), 422, 'validation-failed', inCollection);
      const twice = [a, anEntry({ id: a.id })];
      expectProblem(await put({ member: twice }), 422, 'validation-failed', ['member[1].id: list.duplicate']);
      expectProblem(await put({}), 422, 'validation-failed', ['member: member.required']);
      expectProblem(await put({ member: {} }), 422, 'validation-failed', ['member: member.type']);
      expect(await order()).to.equal('a b');
    });

    it('answers 422 with at most a hundred violations', async () => {
      const reply = await put(Array.from({ length: 1000 }, () => 1));
      expect((reply.json() as { violations: unknown[] }).violations).to.have.lengthOf(100);
    });

    it('answers 428 before 400 and 422', async () => {
      for (const body of ['[', '[7]']) {
        const call = { headers: { 'content-type': 'application/json' }, body };
        expectProblem(await ada.send('PUT', rulesOf(zone), call), 428, 'precondition-required');
      }
    });
  });

  describe('POST /api/zones/{zoneId}/configuration-rules/{id}/move', () => {
    let rules: Readonly<Record<'a' | 'b' | 'c' | 'd', RuleBody>>;
    beforeEach(async () => {
      rules = await someRules('a', 'b', 'c', 'd');
    });
    const move = (name: keyof typeof rules, body: unknown, headers: Readonly<Record<string, string>> = plain) =>
      ada.post(`${pathOf(rules[name])}/move`, body, headers);

    it('accepts neighbours by IRI, and linked data', async () => {
      await move('a', { after: pathOf(rules.c) });
      expect(await order()).to.equal('b c a d');
      const reply = await move(
        'd',
        { '@type': 'x', before: pathOf(rules.b) },
        { 'content-type': 'application/ld+json' },
      );
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
      expect(reply.json()).to.deep.equal((await ada.get(pathOf(rules.d))).json());
      expect(tagOf(reply)).to.equal(tagOf(await ada.get(pathOf(rules.d))));
      expect(await order()).to.equal('d b c a');
    });

    it('answers 422 to a position that is text, and to a neighbour that does not exist', async () => {
      for (const [body, violation] of [
        [{ position: '1' }, 'position: member.type'],
        [{ after: missingId }, 'after: rule.unknown'],
      ] as const) {
        expectProblem(await move('b', body), 422, 'validation-failed', [violation]);
      }
      expect(await order()).to.equal('a b c d');
    });
  });

  describe('Rule-Positions', () => {
    type Rules = Readonly<Record<'a' | 'b' | 'c' | 'd' | 'e', RuleBody>>;
    const writes: Readonly<Record<string, (rules: Rules) => Promise<Reply>>> = {
      'a rule in the middle': () => ada.post(rulesOf(zone), anEntry({ order: 3 })),
      'a patch that moves down': ({ b }) => ada.patch(pathOf(b), { order: 4 }),
      'a patch that moves nothing': ({ d }) => ada.patch(pathOf(d), { order: 4, name: 'renamed' }),
      'a deletion in the middle': ({ c }) => ada.delete(pathOf(c)),
      'a move before': ({ a, d }) => ada.post(`${pathOf(d)}/move`, { before: a.id }),
      'a list in reverse': ({ a, b, c, d, e }) => put([e, d, c, b, a]),
      'a list with other rules': ({ a, b, d, e }) => put([a, anEntry(), e, b, anEntry(), { ...d, enabled: false }]),
    };
    for (const [what, write] of Object.entries(writes)) {
      it(`lists what ${what} moved, and nothing else`, async () => {
        const rules = await someRules('a', 'b', 'c', 'd', 'e');
        const before = await list();
        const reply = await write(rules);
        expect(reply.status, reply.text).to.be.oneOf([200, 201, 204]);
        expect(positionsIn(reply)).to.deep.equal(positionsThatDiffer(before, await list()));
      });
    }

    it('is absent from errors', async () => {
      const { b } = await someRules('a', 'b');
      const refused = await ada.post(rulesOf(zone), { name: 'a', conditions: someConditions(), order: 1 });
      const patched = await ada.patch(pathOf(b), { order: 1, name: 'a' });
      for (const reply of [refused, patched]) {
        expect([reply.status, reply.headers.get('rule-positions')]).to.deep.equal([422, null]);
      }
    });
  });
});
