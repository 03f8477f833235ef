import type { SentStatement } from '@zonewright/postgres';
import { expect } from 'chai';
import type { Route } from '../src/http/route.ts';
import type { RunningService } from '../src/process/service.ts';
import { aVerifiedUser, type User, unique } from './support/arrange.ts';
import { type Client, clientOf } from './support/client.ts';
import { addressOf, named, routes, someOfEverything } from './support/route-table.ts';
import { openService, openTwin, type TestService } from './support/service.ts';
import { minimalMembers, ruleListNames, ruleLists, someHash } from './support/zone-contents.ts';

/** In every text of the zone: settings, rules and drafts. */
const secret = `stranger-${unique()}`;
const inside = routes.filter(({ path }) => /^\/api\/(?:zones|organizations)\/:/.test(path));

describe('A stranger who knows all ids', function () {
  this.timeout(60_000);
  const sent: SentStatement[] = [];
  let service: TestService;
  let twin: RunningService;
  let stranger: Client;
  let ids: Readonly<Record<string, string | number>>;

  before(async () => {
    service = await openService();
    const owner = await aVerifiedUser(service);
    ids = await someOfEverything(service, owner);
    await hideSecretIn(owner, `/api/zones/${ids['zones/:id']}`);
    // Has nothing in its caches.
    twin = await openTwin(service, {}, { onStatement: (statement) => void sent.push(statement) });
    const { token } = await aVerifiedUser(service);
    stranger = clientOf(twin.url, { authorization: `Bearer ${token}` });
  });
  after(async () => {
    await twin?.close();
    await service?.close();
  });

  async function hideSecretIn(owner: User, zone: string): Promise<void> {
    const settings = { zone_settings: { headersResponseSet: [{ name: 'X-Text', value: secret }] } };
    const replies = [
      await owner.patch(zone, settings),
      await owner.post(`${zone}/change-sets`, { title: secret, patch: settings }),
      await owner.post(`${zone}/configuration-rules`, { ...minimalMembers('configurationRules'), name: secret }),
    ];
    for (const { status, text } of replies) expect(status, text).to.be.within(200, 201);
  }

  const bodies: readonly (readonly [end: RegExp, body: unknown])[] = [
    [/\/change-sets$/, { patch: {} }],
    [/\/evaluation$/, { request: { url: 'https://shop.example.com/' } }],
    [/\/move$/, { position: 1 }],
    [/\/basic-auth-users$/, { username: 'ada', passwordHash: someHash }],
    ...ruleListNames.map((list) => [new RegExp(`/${ruleLists[list]}$`), minimalMembers(list)] as const),
  ];
  const bodyOf = ({ method, path }: Route): unknown => {
    if (method === 'put') return [];
    if (path.endsWith('/promotions')) return { from: ids['promotions/:from'] };
    return method === 'post' ? (bodies.find(([end]) => end.test(path))?.[1] ?? {}) : {};
  };

  /** The statements of a request, without transaction control and those of background workers. */
  async function statementsOf(route: Route): Promise<readonly SentStatement[]> {
    sent.length = 0;
    const type = route.method === 'patch' ? 'application/merge-patch+json' : 'application/json';
    const body = ['get', 'delete'].includes(route.method) ? {} : { body: JSON.stringify(bodyOf(route)) };
    const headers = { 'content-type': type, 'if-match': '*' };
    const reply = await stranger.send(route.method.toUpperCase(), addressOf(route, ids), { headers, ...body });
    expect(reply.status, reply.text).to.equal(403);
    return sent.filter(
      ({ name }) =>
        name !== undefined && !/^(?:outbox|clean-up|edge-feed|rollouts|domain-checks|rate-limits)\//.test(name),
    );
  }

  /** Everything that a statement which only reads returned. */
  async function resultOf({ text, values }: SentStatement): Promise<string> {
    if (/\b(?:INSERT INTO|UPDATE|DELETE FROM)\b/.test(text)) return '';
    return JSON.stringify(await service.database.any(text, [...(values ?? [])]));
  }

  for (const route of inside) {
    it(`locks nothing and reads no text by ${named(route)}`, async () => {
      const statements = await statementsOf(route);
      const locking = statements.filter(({ text }) => /\bFOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b/.test(text));
      expect(locking.map(({ name }) => name)).to.deep.equal([]);
      for (const statement of statements) expect(await resultOf(statement), statement.name).not.to.include(secret);
    });
  }
});
