import { createHash, randomBytes } from 'node:crypto';
import type { AssertionResponse } from '@zonewright/core';
import type { SentStatement } from '@zonewright/postgres';
import { expect } from 'chai';
import {
  aLoadBalancer,
  anApiToken,
  anOriginServer,
  aVerifiedUser,
  aZone,
  rulesOf,
  someConditions,
  type User,
  unique,
} from './support/arrange.ts';
import { type Client, clientOf, type Reply } from './support/client.ts';
import { aReport } from './support/edges.ts';
import { addPasskey, signatureOf, signInByPasskey } from './support/passkeys.ts';
import { openService, type TestService } from './support/service.ts';
import { aBasicAuthUser, aChangeSet, promotionsOf, revisionsOf, tagOf } from './support/zone-contents.ts';

const [few, many] = [2, 100];

const inOrder = (names: readonly (string | undefined)[]) =>
  names.toSorted((one = '', other = '') => (one < other ? -1 : 1));

/** The number of statements must not grow with the rules of a zone, all of which refer to backends and users. */
describe('The number of statements', function () {
  this.timeout(30_000);
  const sent: SentStatement[] = [];
  let service: TestService;
  let ada: User;
  let findings: string;
  let names: readonly string[];
  let backends: readonly { readonly type: string; readonly id: string }[];

  before(async () => {
    const hostNameRules = { own: undefined, verification: 'off' } as const;
    service = await openService({ hostNameRules }, { onStatement: (statement) => void sent.push(statement) });
    ada = await aVerifiedUser(service);
    findings = `/api/zones/${(await aZone(ada)).id}/findings`;
    const [first, second] = [await anOriginServer(ada), await anOriginServer(ada)];
    names = [first.name, second.name];
    const balancers = [await aLoadBalancer(ada), await aLoadBalancer(ada)];
    backends = [
      { type: 'origin_server', id: first.id },
      ...balancers.map(({ id }) => ({ type: 'load_balancer', id })),
      { type: 'origin_server', id: second.id },
    ];
  });
  after(() => service.close());

  async function statementsOf(request: () => Promise<Reply>): Promise<readonly (string | undefined)[]> {
    sent.length = 0;
    const { status, text } = await request();
    expect(status, text).to.be.within(200, 299);
    return sent
      .map(({ name }) => name)
      .filter(
        (name) =>
          name !== undefined && !/^(?:outbox|clean-up|edge-feed|rollouts|domain-checks|rate-limits)\//.test(name),
      );
  }

  /** A zone with one user, and this many rules that refer to that user and a backend. */
  async function arranged(count: number) {
    const zone = await aZone(ada);
    const user = await aBasicAuthUser(ada, zone);
    const rules = Array.from({ length: count }, (_, index) => ({
      name: `rule-${unique()}`,
      conditions: someConditions(),
      settingsOverrides: {
        defaultBackend: backends[index % backends.length],
        basicAuth: { enabled: true, allowedUserIds: [user.id] },
      },
    }));
    const replace = async (wanted: readonly unknown[]) => {
      const tag = await tagOf(ada, rulesOf(zone));
      return statementsOf(() => ada.put(rulesOf(zone), wanted, { 'if-match': tag }));
    };
    return { zone, user, rules, replace };
  }

  type Arranged = Awaited<ReturnType<typeof arranged>>;
  const cases: readonly (readonly [what: string, act: (given: Arranged) => Promise<readonly unknown[]>])[] = [
    ['a replaced list', ({ rules, replace }) => replace(rules)],
    [
      'a renamed zone',
      async ({ zone, rules, replace }) => {
        await replace(rules);
        return statementsOf(() => ada.patch(`/api/zones/${zone.id}`, { name: `zone-${unique()}` }));
      },
    ],
    [
      'a restored revision',
      async ({ zone, rules, replace }) => {
        await replace(rules);
        await replace([]);
        return statementsOf(() => ada.post(`${revisionsOf(zone)}/3/restore`));
      },
    ],
    [
      'a promotion',
      async ({ zone, user, replace, rules }) => {
        await replace(rules);
        const target = await aZone(ada);
        await aBasicAuthUser(ada, target, { username: user.username });
        const map = { backends: { [names[0] ?? '']: names[1] } };
        const promote = () => ada.post(promotionsOf(target), { from: zone.id, map });
        const first = await statementsOf(promote);
        const { changeSet } = (await promote()).json() as { readonly changeSet: string };
        const applied = await statementsOf(() => ada.post(`${changeSet}/apply`, {}, { 'if-match': '*' }));
        // Lists of backends are read at the same time.
        return [inOrder(first), applied, inOrder(await statementsOf(promote))];
      },
    ],
    [
      'a restored zone',
      async ({ zone, rules, replace }) => {
        await replace(rules);
        await ada.delete(`/api/zones/${zone.id}`);
        return statementsOf(() => ada.post(`/api/organizations/${ada.organization}/deleted-zones/${zone.id}/restore`));
      },
    ],
  ];

  for (const [what, act] of cases) {
    it(`for ${what} is the same for ${few} rules and for ${many}`, async () => {
      const [ofFew, ofMany] = [await act(await arranged(few)), await act(await arranged(many))];
      expect(ofMany).to.deep.equal(ofFew);
    });
  }

  for (const [which, isLimited] of [
    ['an API token', false],
    ['an API token for some zones and networks', true],
  ] as const) {
    it(`for a read with ${which} is 1, that of the read`, async () => {
      const { id } = await aZone(ada);
      const limits = { permissions: ['zones:read'], zones: [id], networks: ['127.0.0.0/8'] };
      const client = await anApiToken(ada, isLimited ? limits : {});
      const reads = {
        '/api/zones': 'zones/list/by-id.sql',
        [`/api/zones/${id}`]: 'zones/state.sql',
        '/api/users/me': 'accounts/profile.sql',
      };
      for (const [path, statement] of Object.entries(reads)) {
        await client.get(path);
        expect(await statementsOf(() => client.get(path)), path).to.deep.equal([statement]);
      }
    });
  }

  const limits = 'rate-limits/take.sql';
  /** Leases of several points, and debts for work that took long on a busy machine: `requested` is the fifth value. */
  const isLease = ({ name, values = [] }: SentStatement) => name === limits && values[4] !== 1;

  /** All statements of a repeated request except leases of points, while no worker is active. */
  async function statementsOfAll(
    request: () => Promise<Reply>,
    isWorkers = (name: string) =>
      /^(?:outbox|clean-up|edge-feed|rollouts|domain-checks|rate-limits\/remove)/.test(name),
  ): Promise<readonly string[]> {
    // Leases grow with every request, and the client's network is known from then on.
    for (let before = 1; before <= 3; before += 1) await request();
    for (;;) {
      sent.length = 0;
      await request();
      const names = sent.filter((statement) => !isLease(statement)).map(({ name, text }) => name ?? text);
      const count = (word: string) => names.filter((name) => name.startsWith(word)).length;
      // A worker may have been in a transaction.
      if (!names.some(isWorkers) && count('BEGIN') === count('COMMIT')) return names;
    }
  }

  const anonymous = () => clientOf(service.url);
  const account = 'accounts/facts-by-email.sql';
  const logIn = (password: string) => anonymous().post('/api/auth/login', { email: ada.email, password });
  let refreshToken: string | undefined;
  const refresh = async () => {
    const reply = await anonymous().post('/api/auth/refresh', { refreshToken: refreshToken ?? ada.refreshToken });
    ({ refreshToken } = reply.json() as { refreshToken: string });
    return reply;
  };
  const ways: readonly (readonly [what: string, statements: readonly string[], act: () => Promise<Reply>])[] = [
    ['a refresh', ['refresh-tokens/rotate.sql'], refresh],
    [
      'a sign-in',
      [limits, account, 'sign-ins/open-silently.sql', 'rate-limits/give-back.sql'],
      () => logIn(ada.password),
    ],
    ['a rejected sign-in', [limits, account, 'audit-log/record.sql'], () => logIn('Wrong-Horse-7')],
  ];
  for (const [what, statements, act] of ways) {
    it(`for ${what} is ${statements.length}`, async () => {
      expect(await statementsOfAll(act)).to.deep.equal(statements);
    });
  }

  it('for a sign-in by a passkey is 4', async () => {
    const { authenticator } = await addPasskey(await aVerifiedUser(service));
    const answers: AssertionResponse[] = [];
    // More than needed, because requests that coincide with a worker are repeated.
    while (answers.length < 20) answers.push(await signatureOf(service.url, authenticator));
    const signIn = () =>
      signInByPasskey(service.url, answers.shift() ?? expect.fail('Every challenge is answered once.'));
    expect(await statementsOfAll(signIn)).to.deep.equal([
      'passkeys/held.sql',
      'passkey-challenges/spend.sql',
      'passkeys/note-use.sql',
      'sign-ins/open-silently.sql',
    ]);
  });

  describe('for change sets', () => {
    const ownStatementsOf = async (request: () => Promise<Reply>) =>
      (await statementsOfAll(request)).filter((name) => name !== 'callers/authenticate.sql');
    const setPath = (zone: { readonly id: string }, { id }: { readonly id: string }) =>
      `/api/zones/${zone.id}/change-sets/${id}`;
    const readings: readonly (readonly [what: string, isBehind: boolean, statements: readonly string[]])[] = [
      ['on the current revision', false, []],
      ['on an earlier one', true, ['zones/whole-by-id.sql', 'history/trail.sql']],
    ];
    for (const [what, isBehind, statements] of readings) {
      it(`is ${2 + statements.length} for reading one ${what}`, async () => {
        const zone = await aZone(ada);
        const set = await aChangeSet(ada, zone, { patch: { zone_settings: { minifyHtml: true } } });
        if (isBehind) await ada.patch(`/api/zones/${zone.id}`, { zone_settings: { underAttack: true } });
        const all = ['zones/head.sql', 'change-sets/by-id.sql', ...statements];
        expect(await ownStatementsOf(() => ada.get(setPath(zone, set)))).to.deep.equal(all);
      });
    }

    it('is 6 for applying one that adds a rule', async () => {
      const zone = await aZone(ada);
      const sets: { readonly id: string }[] = [];
      // More than needed, because requests that coincide with a worker are repeated.
      while (sets.length < 20) {
        const value = { name: `rule-${unique()}`, conditions: someConditions(), action: 'block' };
        sets.push(await aChangeSet(ada, zone, { operations: [{ op: 'create', kind: 'accessRule', value }] }));
      }
      const statements = await ownStatementsOf(() => {
        const set = sets.shift() ?? expect.fail('Every set is applied.');
        return ada.post(`${setPath(zone, set)}/apply`, undefined, { 'if-match': '*' });
      });
      expect(statements).to.deep.equal([
        'zones/whole-by-id.sql',
        'change-sets/by-id.sql',
        'history/trail.sql',
        'zone-changes/outside.sql',
        'zone-changes/apply/everything.sql',
        'change-sets/by-id.sql',
      ]);
    });
  });

  describe('for edges', () => {
    const edge = (key: string) => clientOf(service.url, { authorization: `Bearer ${key}` });
    const changes = async (client: Client, after: string) =>
      (await client.get(`/edge/v1/changes?after=${after}`)).json() as {
        readonly position: string;
        readonly more: boolean;
        readonly zones: readonly { readonly digest: string }[];
      };
    /** All changes after a position: while much is being published, an answer has some of them. */
    const allChanges = async (client: Client, after: string): ReturnType<typeof changes> => {
      const found = await changes(client, after);
      if (!found.more) return found;
      const { zones, ...rest } = await allChanges(client, found.position);
      return { ...rest, zones: [...found.zones, ...zones] };
    };

    /** The fewest statements of a repeated request: the publisher, which works at the same time, adds some to others. */
    async function fewestOf(request: () => Promise<Reply>): Promise<readonly string[]> {
      const counts: (readonly string[])[] = [];
      while (counts.length < 5)
        counts.push(await statementsOfAll(request, (name) => /^(?:outbox|clean-up)/.test(name)));
      return counts.toSorted((one, other) => one.length - other.length)[0] ?? [];
    }

    /** An edge that serves this many zones, and what each of its calls takes. */
    async function statementsBeside(zones: number) {
      const { organization, ...client } = await aVerifiedUser(service);
      const key = `zwe_${randomBytes(32).toString('base64url')}`;
      await service.database.none(
        `INSERT INTO edges (id, name, tags, organizations, stage, token_expires_at, key_hash)
         VALUES (gen_random_uuid(), $1, '{}', ARRAY[$2::int], 'main', now(), $3)`,
        [unique(), organization, createHash('sha256').update(key).digest('hex')],
      );
      const { position: before } = await allChanges(edge(key), '');
      for (let count = 0; count < zones; count += 1)
        await client.post('/api/zones', { name: `zone-${unique()}`, hostnames: [`h${unique()}.example.com`] });
      const { position, zones: published } = await allChanges(edge(key), before);
      expect(published).to.have.lengthOf(zones);
      const path = `/edge/v1/documents/${published[0]?.digest}`;
      sent.length = 0;
      await Promise.all(Array.from({ length: 10 }, () => edge(key).get(path)));
      const readings = sent.filter(({ name }) => name === 'edge-feed/document.sql');
      return {
        'a poll with news': await fewestOf(() => edge(key).get(`/edge/v1/changes?after=${before}`)),
        'a poll without news': await fewestOf(() => edge(key).get(`/edge/v1/changes?after=${position}`)),
        'ten first readings of a document': readings.map(({ name }) => name),
        'a document': await fewestOf(() => edge(key).get(path)),
        'a report': await fewestOf(() => edge(key).put('/edge/v1/state', { ...aReport, position })),
      };
    }

    it('is the same for few zones and for many', async () => {
      const poll = ['edges/by-keys.sql', 'edge-feed/status.sql', 'edge-feed/changes.sql'];
      const few = await statementsBeside(1);
      expect(few).to.deep.equal({
        'a poll with news': poll,
        'a poll without news': poll,
        // Documents are remembered by their digests.
        'ten first readings of a document': ['edge-feed/document.sql'],
        'a document': ['edges/by-keys.sql'],
        'a report': ['edges/by-keys.sql', 'edge-states/record.sql'],
      });
      expect(await statementsBeside(20)).to.deep.equal(few);
    });
  });

  it('for findings is 8', async () => {
    expect(await statementsOfAll(() => ada.get(findings))).to.have.members([
      'callers/authenticate.sql',
      limits,
      'zones/head.sql',
      'history/trail.sql',
      ...['origin-servers', 'load-balancers'].flatMap((list) => [`${list}/list.sql`, `${list}/total.sql`]),
    ]);
  });
});
