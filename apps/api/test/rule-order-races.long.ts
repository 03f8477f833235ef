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
import { type Client, clientOf, expectProblem, type Reply, statusCounts } from './support/client.ts';
import { openService, openTwin, type TestService } from './support/service.ts';

const parallel = 20;
const rounds = 2;
const plain = { accept: 'application/json' };

/** The state at the beginning of a round. */
interface Start {
  readonly rules: readonly RuleBody[];
  /** Entity tag of the list. */
  readonly tag: string;
  /** Number of the newest revision. */
  readonly revision: number;
}

/** A way to change the list, and its possible outcomes under concurrent writes. */
interface Writer {
  readonly send: (client: Client, path: string, start: Start, pick: (count: number) => number) => Promise<Reply>;
  readonly statuses: readonly number[];
}

const anEntry = () => ({ name: `new-${unique()}`, conditions: someConditions() });
const idOf = ({ rules }: Start, index: number): string => rules[index % rules.length]?.id ?? expect.fail('no rule');

const inPlaceOfRead = 'another list in place of the one that was read';

const writers: Readonly<Record<string, Writer>> = {
  'a new rule': {
    send: (client, path, { rules }, pick) =>
      client.post(path, { ...anEntry(), ...(pick(2) === 0 ? {} : { order: pick(rules.length + 2) }) }),
    statuses: [201],
  },
  'a move': {
    send: (client, path, start, pick) => {
      const neighbour = idOf(start, pick(99));
      const targets = [{ before: neighbour }, { after: neighbour }, { position: pick(start.rules.length) }];
      return client.post(`${path}/${idOf(start, pick(99))}/move`, targets[pick(3)]);
    },
    // The rule or its neighbour was deleted.
    statuses: [200, 404, 422],
  },
  'a patch of a position': {
    send: (client, path, start, pick) =>
      client.patch(`${path}/${idOf(start, pick(99))}`, { order: pick(start.rules.length) + 1 }),
    statuses: [200, 404],
  },
  'a deletion': {
    send: (client, path, start, pick) => client.delete(`${path}/${idOf(start, pick(99))}`),
    statuses: [204, 404],
  },
  'another list': {
    send: (client, path, { rules }) => client.put(path, [...rules.toReversed(), anEntry()], { 'if-match': '*' }),
    // One of its rules was deleted.
    statuses: [200, 422],
  },
  [inPlaceOfRead]: {
    send: (client, path, { rules, tag }) => client.put(path, [anEntry(), ...rules.slice(1)], { 'if-match': tag }),
    statuses: [200, 412],
  },
  'an earlier revision': {
    send: (client, path, { revision }, pick) =>
      client.post(`${path.slice(0, path.lastIndexOf('/'))}/revisions/${Math.max(1, revision - pick(10))}/restore`),
    statuses: [200],
  },
};
const kinds = Object.keys(writers);

/** Reproducible pseudo-random numbers. */
function picker(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    // The generator of Numerical Recipes; its high bits are random enough.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

describe("Twenty simultaneous writers of a zone's rules on two instances", function () {
  this.timeout(120_000);
  let service: TestService;
  let twin: Awaited<ReturnType<typeof openTwin>>;
  let ada: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openService();
    twin = await openTwin(service);
    ada = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    zone = await aZone(ada);
  });
  after(async () => {
    await twin?.close();
    await service?.close();
  });

  /** Ensures this many rules: restoring an earlier revision may have removed all. */
  async function someRules(count: number): Promise<void> {
    const { rules } = await startOf();
    for (let missing = count - rules.length; missing > 0; missing -= 1) await aRule(ada, zone);
  }

  async function startOf(): Promise<Start> {
    const reply = await ada.get(`${rulesOf(zone)}?itemsPerPage=100`, plain);
    const rules = reply.json() as readonly RuleBody[];
    const { revision } = await zoneRow();
    return { rules, tag: reply.headers.get('etag') ?? '', revision };
  }

  const zoneRow = () =>
    service.database.one<{ readonly revision: number }>('SELECT revision FROM zones WHERE id = $1', [zone.id]);

  /** Sends every kind of write several times concurrently, shuffled; returns each response with its request. */
  async function race(
    seed: number,
    others: readonly Writer[] = [],
  ): Promise<readonly { readonly kind: string; readonly reply: Reply }[]> {
    const [start, pick] = [await startOf(), picker(seed)];
    const asked = [
      ...others.map((writer) => ({ kind: 'another', writer })),
      ...Array.from({ length: parallel - others.length }, (_, index) => {
        const kind = kinds[index % kinds.length] ?? '';
        return { kind, writer: writers[kind] ?? expect.fail(kind) };
      }),
    ]
      .map((each) => ({ each, place: pick(1000) }))
      .toSorted((one, other) => one.place - other.place);
    const sent = asked.map(async ({ each: { kind, writer } }, index) => {
      const { url } = index % 2 === 0 ? service : twin;
      const client = clientOf(url, { authorization: `Bearer ${ada.token}` });
      return { kind, reply: await writer.send(client, rulesOf(zone), start, pick) };
    });
    return Promise.all(sent);
  }

  /** Whether the write changed anything: moves and patches to the current position do not. */
  const isChange = ({ kind, reply }: { readonly kind: string; readonly reply: Reply }): boolean =>
    reply.status < 300 &&
    (!['a move', 'a patch of a position'].includes(kind) || reply.headers.get('rule-positions') !== null);

  const expectStatuses = (
    answers: readonly { readonly kind: string; readonly reply: Reply }[],
    also: readonly number[],
  ) => {
    for (const { kind, reply } of answers) {
      expect([...(writers[kind]?.statuses ?? []), ...also], `${kind}: ${reply.text}`).to.include(reply.status);
    }
  };

  it(`keep positions without gaps and create one revision per change, in each of ${rounds} rounds`, async () => {
    for (let round = 1; round <= rounds; round += 1) {
      await someRules(8);
      const { revision: before } = await startOf();
      const answers = await race(round);
      expectStatuses(answers, []);
      // At most one replacement of the list that was read succeeds: the first one.
      const replaced = answers.filter(({ kind, reply }) => kind === inPlaceOfRead && reply.status === 200);
      expect(replaced.length).to.be.at.most(1);

      const { rules, revision } = await startOf();
      expect(rules.map(({ order }) => order)).to.deep.equal(rules.map((_, index) => index + 1));
      expect(new Set(rules.map(({ id }) => id)).size).to.equal(rules.length);
      expect(revision - before, JSON.stringify(statusCounts(answers.map(({ reply }) => reply)))).to.equal(
        answers.filter(isChange).length,
      );
      await expectHistory(revision, rules);
    }
  });

  /** Requires gapless revision numbers, and that the newest revision equals the current state. */
  async function expectHistory(revision: number, rules: readonly RuleBody[]): Promise<void> {
    const { numbers } = await service.database.one<{ readonly numbers: readonly number[] }>(
      'SELECT array_agg(number ORDER BY number) AS numbers FROM zone_revisions WHERE zone_id = $1',
      [zone.id],
    );
    expect(numbers).to.deep.equal(Array.from({ length: revision }, (_, index) => index + 1));
    const reply = await ada.get(`/api/zones/${zone.id}/revisions/${revision}`);
    const { state } = reply.json() as {
      state: { configurationRules: { order: unknown; items: Record<string, unknown> } };
    };
    expect(state.configurationRules.order).to.deep.equal(rules.map(({ id }) => id));
    expect(Object.keys(state.configurationRules.items)).to.have.members(rules.map(({ id }) => id));
  }

  it(`get 404 once the zone is deleted, and it comes back as its history says, in each of ${rounds} rounds`, async () => {
    const deletion: Writer = { send: (client) => client.delete(`/api/zones/${zone.id}`), statuses: [] };
    for (let round = 1; round <= rounds; round += 1) {
      zone = await aZone(ada);
      await someRules(4);
      const start = await startOf();
      const answers = await race(round, [deletion, deletion]);
      const deletions = answers.filter(({ kind }) => kind === 'another').map(({ reply }) => reply);
      expect(statusCounts(deletions)).to.deep.equal({ 204: 1, 404: 1 });
      const writes = answers.filter(({ kind }) => kind !== 'another');
      expectStatuses(writes, [404]);
      for (const { send } of Object.values(writers)) {
        expectProblem(await send(ada, rulesOf(zone), start, picker(round)), 404, 'not-found');
      }
      expectProblem(await ada.get(`/api/zones/${zone.id}`), 404, 'not-found');
      const restored = await ada.post(`/api/organizations/${ada.organization}/deleted-zones/${zone.id}/restore`);
      expect(restored.status).to.equal(200);
      const { rules, revision } = await startOf();
      await expectHistory(revision, rules);
    }
  });
});
