import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  aMember,
  anApiToken,
  aVerifiedUser,
  aZone,
  invitationsOf,
  logIn,
  rulesOf,
  someConditions,
  type User,
  unique,
  type ZoneBody,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { addressOf, named, routes, someOfEverything } from './support/route-table.ts';

const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });
const isReplay = ({ headers }: Reply): boolean => headers.get('idempotency-replayed') === 'true';

describe('Idempotency-Key', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const zonesNamed = (zoneName: string) =>
    service.inTables(({ zones }) => [...zones.values()].filter(({ name }) => name === zoneName)).length;
  const recorded = (action: string) =>
    service.inTables(({ auditLog }) => [...auditLog.values()].filter((entry) => entry.action === action));
  const aName = () => `zone-${unique()}`;

  /** Requires that the second response replays the first and says so. */
  const expectReplayed = (again: Reply, first: Reply) => {
    const shown = ({ status, text, headers }: Reply) => ({
      status,
      text,
      headers: ['location', 'etag', 'content-type', 'cache-control', 'vary'].map((name) => headers.get(name)),
    });
    expect(shown(again)).to.deep.equal(shown(first));
    expect([first, again].map(isReplay)).to.deep.equal([false, true]);
  };

  it('creates one zone for two equal requests, and gives both the same response', async () => {
    const [body, headers] = [{ name: aName() }, keyed()];
    const first = await ada.post('/api/zones', body, headers);
    expect(first.status, first.text).to.equal(201);
    expect(first.headers.get('location')).to.equal(`/api/zones/${(first.json() as ZoneBody).id}`);
    expectReplayed(await ada.post('/api/zones', body, headers), first);
    expectReplayed(await ada.post('/api/zones', body, headers), first);
    expect(zonesNamed(body.name)).to.equal(1);
  });

  it('replays a linked-data response', async () => {
    const zone = await aZone(ada);
    const body = { name: 'a rule', conditions: someConditions() };
    const headers = { ...keyed(), accept: 'application/ld+json' };
    const first = await ada.post(rulesOf(zone), body, headers);
    expect(first.status, first.text).to.equal(201);
    expectReplayed(await ada.post(rulesOf(zone), body, headers), first);
  });

  it('replays the response to a request without a body', async () => {
    const email = `guest${unique()}@example.com`;
    const { id } = (await ada.post(invitationsOf(ada), { email, role: 'viewer' })).json() as { readonly id: string };
    const headers = keyed();
    const first = await ada.post(`${invitationsOf(ada)}/${id}/resend`, undefined, headers);
    expect(first.status, first.text).to.equal(200);
    expectReplayed(await ada.post(`${invitationsOf(ada)}/${id}/resend`, undefined, headers), first);
    expect(recorded('invitation.resent').filter(({ objects }) => objects['invitation'] === id)).to.have.length(1);
  });

  it('replays the token of POST /api/api-tokens', async () => {
    const [body, headers] = [{ name: 'reported twice' }, keyed()];
    const first = await ada.post('/api/api-tokens', body, headers);
    const again = await ada.post('/api/api-tokens', body, headers);
    expectReplayed(again, first);
    const { plainToken } = again.json() as { readonly plainToken: string };
    expect((await clientOf(service.url, { 'x-api-token': plainToken }).get('/api/zones')).status).to.equal(200);
  });

  it('returns 422 for another body, path or format with the same key, without any effect', async () => {
    const [body, headers] = [{ name: aName() }, keyed()];
    const first = await ada.post('/api/zones', body, headers);
    const otherName = aName();
    const zone = first.json() as ZoneBody;
    for (const reply of [
      await ada.post('/api/zones', { name: otherName }, headers),
      await ada.post('/api/zones?x=1', body, headers),
      await ada.post('/api/organizations', { name: otherName }, headers),
      await ada.post(rulesOf(zone), { name: otherName, conditions: someConditions() }, headers),
      await ada.post('/api/zones', body, { ...headers, accept: 'application/ld+json' }),
    ]) {
      expectProblem(reply, 422, 'idempotency-key-reused');
      expect(isReplay(reply)).to.equal(false);
    }
    expect(zonesNamed(otherName)).to.equal(0);
    expectReplayed(await ada.post('/api/zones', body, headers), first);
  });

  it('belongs to a session or API token: others can use the same key independently', async () => {
    const { token } = await logIn(service, ada);
    const member = await aMember(service, ada, 'admin');
    const secondSession = clientOf(service.url, { authorization: `Bearer ${token}` });
    const clients: readonly Client[] = [ada, secondSession, await anApiToken(ada), await anApiToken(ada), member];
    const headers = keyed();
    const ids: string[] = [];
    for (const client of clients) {
      const body = { name: aName(), organization: ada.organization };
      const first = await client.post('/api/zones', body, headers);
      expect([first.status, isReplay(first)], first.text).to.deep.equal([201, false]);
      expectReplayed(await client.post('/api/zones', body, headers), first);
      ids.push((first.json() as ZoneBody).id);
    }
    expect(new Set(ids).size).to.equal(clients.length);
  });

  it('can be reused after a rejected request', async () => {
    const [taken, headers] = [await aZone(ada), keyed()];
    const refused = await ada.post('/api/zones', { name: taken.name }, headers);
    expectProblem(refused, 422, 'validation-failed', ['name: zone.name.duplicate']);
    const body = { name: aName() };
    const first = await ada.post('/api/zones', body, headers);
    expect(first.status, first.text).to.equal(201);
    expectReplayed(await ada.post('/api/zones', body, headers), first);
  });

  it('consumes a rate limit point each time', async () => {
    const [body, headers] = [{ name: aName() }, keyed()];
    const left = async () => {
      const { headers: fields } = await ada.post('/api/zones', body, headers);
      return Number(/"api";r=(\d+)/.exec(fields.get('ratelimit') ?? '')?.[1]);
    };
    const before = await left();
    expect(await left()).to.equal(before - 1);
  });

  describe('with a response above 64 KiB', () => {
    const largeZone = () => ({ name: aName(), zone_settings: { customPagesErrorHtml: 'x'.repeat(200_000) } });
    const keptCharacters = (key: string) =>
      service.inTables(({ idempotencyKeys }) => [...idempotencyKeys].find(([each]) => each.includes(key))?.[1].answer)
        ?.length;

    it('stores its status, header fields and address, and reads the resource again', async () => {
      const [body, headers] = [largeZone(), keyed()];
      const first = await ada.post('/api/zones', body, headers);
      expect(first.status, first.text).to.equal(201);
      expect(keptCharacters(headers['idempotency-key'])).to.be.below(2000);
      const again = await ada.post('/api/zones', body, headers);
      expect([again.status, isReplay(again)], again.text).to.deep.equal([201, true]);
      const read = await ada.get(first.headers.get('location') ?? '');
      expect(again.text).to.equal(first.text);
      for (const name of ['location', 'content-type'])
        expect(again.headers.get(name)).to.equal(first.headers.get(name));
      expect(again.headers.get('etag')).to.equal(read.headers.get('etag'));
      expect(zonesNamed(body.name)).to.equal(1);
    });

    it('replays the current state of the resource, in the requested format', async () => {
      const zone = (await ada.post('/api/zones', largeZone())).json() as ZoneBody;
      const headers = { ...keyed(), accept: 'application/ld+json' };
      const restore = () => ada.post(`/api/zones/${zone.id}/revisions/1/restore`, undefined, headers);
      const first = await restore();
      expect(first.status, first.text).to.equal(200);
      expect((await ada.patch(`/api/zones/${zone.id}`, { name: `${zone.name}-later` })).status).to.equal(200);
      const again = await restore();
      expect([again.status, isReplay(again), again.headers.get('content-type')]).to.deep.equal([
        200,
        true,
        first.headers.get('content-type'),
      ]);
      expect(again.json()).to.deep.include({ '@id': `/api/zones/${zone.id}`, name: `${zone.name}-later` });
    });

    it('returns 403 and 404 to a retry by a caller who may no longer read it', async () => {
      const [body, headers] = [{ ...largeZone(), organization: ada.organization }, keyed()];
      const member = await aMember(service, ada, 'admin');
      const first = await member.post('/api/zones', body, headers);
      expect(first.status, first.text).to.equal(201);
      const membership = `/api/organizations/${ada.organization}/members/${member.id}`;
      expect((await ada.delete(membership)).status).to.equal(204);
      expectProblem(await member.post('/api/zones', body, headers), 403, 'forbidden');
      const own = largeZone();
      const zone = (await ada.post('/api/zones', own, headers)).json() as ZoneBody;
      expect((await ada.delete(`/api/zones/${zone.id}`)).status).to.equal(204);
      expectProblem(await ada.post('/api/zones', own, headers), 404, 'not-found');
    });
  });

  it('replays nothing to a member who has been removed', async () => {
    const member = await aMember(service, ada, 'admin');
    const { organization } = ada;
    const zone = await aZone(ada);
    const guest = (
      await ada.post(invitationsOf(ada), {
        email: `guest${unique()}@example.com`,
        role: 'viewer',
      })
    ).json() as { readonly id: string };
    const requests: readonly (readonly [string, object?])[] = [
      ['/api/zones', { name: aName(), organization }],
      [`/api/zones/${zone.id}/ban-token`],
      [`${invitationsOf(ada)}/${guest.id}/resend`],
    ];
    const headers = keyed();
    for (const [path, body] of requests) {
      const key = keyed(`${headers['idempotency-key']}${path}`);
      expect((await member.post(path, body, key)).status, path).to.be.within(200, 201);
      expect(isReplay(await member.post(path, body, key)), path).to.equal(true);
    }
    await ada.delete(`/api/organizations/${organization}/members/${member.id}`);
    for (const [path, body] of requests) {
      const again = await member.post(path, body, keyed(`${headers['idempotency-key']}${path}`));
      expectProblem(again, 403, 'forbidden');
    }
  });

  it('replays the acceptance of an invitation to members only', async () => {
    const guest = await aVerifiedUser(service);
    await ada.post(invitationsOf(ada), { email: guest.email, role: 'viewer' });
    const { text } = await service.mails.nextMailTo(guest.email);
    const [, token = ''] = /#token=(\S+)/.exec(`${text}`) ?? [];
    const accept = () => guest.post('/api/invitations/accept', { token }, headers);
    const headers = keyed();
    const first = await accept();
    expectReplayed(await accept(), first);
    await ada.delete(`/api/organizations/${ada.organization}/members/${guest.id}`);
    expectProblem(await accept(), 403, 'forbidden');
  });

  it('may be a quoted string, which equals the unquoted key', async () => {
    for (const [quoted, bare] of [
      ['"quoted-1"', 'quoted-1'],
      [String.raw`"with\"quote"`, 'with"quote'],
      [String.raw`"with\\backslash"`, String.raw`with\backslash`],
      [`"${'q'.repeat(255)}"`, 'q'.repeat(255)],
    ] as const) {
      const body = { name: aName() };
      const first = await ada.post('/api/zones', body, keyed(quoted));
      expect(first.status, first.text).to.equal(201);
      expectReplayed(await ada.post('/api/zones', body, keyed(bare)), first);
    }
  });

  it('returns 400 for a malformed key, without any effect', async () => {
    const name = aName();
    for (const key of [
      '',
      '""',
      'k'.repeat(256),
      `"${'k'.repeat(256)}"`,
      'two words',
      '"two words"',
      'schlüssel',
      '"half',
      String.raw`"a\b"`,
      '"a";b=1',
      'one, two',
    ]) {
      expectProblem(await ada.post('/api/zones', { name }, keyed(key)), 400, 'invalid-idempotency-key');
    }
    expect(zonesNamed(name)).to.equal(0);
  });

  it('returns 401 and 403 before checking the key', async () => {
    expectProblem(await clientOf(service.url).post('/api/zones', {}, keyed('')), 401, 'unauthenticated');
    const readOnly = await anApiToken(ada, { readOnly: true });
    expectProblem(await readOnly.post('/api/zones', {}, keyed('')), 403, 'read-only-token');
  });

  describe('is supported', () => {
    /** Their responses are shown once, their rejections are counted, or they change nothing. */
    const without = new Set([
      'POST /api/2fa/setup',
      'POST /api/2fa/confirm',
      'POST /api/2fa/disable',
      'POST /api/2fa/recovery-codes',
      'POST /api/users/me/password',
      'POST /api/users/me/email',
      'POST /api/users/me/providers/:id/start',
      'POST /api/auth/confirm',
      'POST /api/auth/confirm/options',
      'POST /api/users/me/passkeys/options',
      'POST /api/users/me/passkeys',
      'POST /api/zones/:id/evaluation',
      'POST /api/zones/:zoneId/change-sets/:id/evaluation',
    ]);
    let ids: Awaited<ReturnType<typeof someOfEverything>>;
    before(async () => {
      ids = await someOfEverything(service, ada);
    });
    // Logging out would prevent further requests.
    const toMalformedKey = (route: (typeof routes)[number]) =>
      (route.access === 'public' ? clientOf(service.url) : ada).send(
        route.method.toUpperCase(),
        addressOf(route, ids),
        { headers: keyed('two words') },
      );

    for (const route of routes.filter(({ method }) => method === 'post')) {
      const isSupported = route.access !== 'public' && route.access !== 'edge' && !without.has(named(route));
      it(`${isSupported ? 'by' : 'not by'} ${named(route)}`, async () => {
        const reply = await toMalformedKey(route);
        if (isSupported) expectProblem(reply, 400, 'invalid-idempotency-key');
        else expect(reply.text).not.to.include('idempotency-key');
      });
    }

    it('only with a permission that a replay asks for again', () => {
      const unchecked = routes.filter(({ isReplayable, permitted }) => isReplayable && permitted === undefined);
      expect(unchecked.map(named)).to.deep.equal([]);
    });

    it('but not by reads', async () => {
      // A flow needs a provider.
      const isRead = ({ method, path, access }: (typeof routes)[number]) =>
        method === 'get' && access !== 'edge' && !path.startsWith('/api/auth/providers/');
      for (const route of routes.filter(isRead)) {
        expect((await toMalformedKey(route)).status, named(route)).to.equal(200);
      }
    });
  });

  it('never replays new recovery codes or other responses that are shown once', async () => {
    const user = await aVerifiedUser(service);
    const headers = keyed();
    const secrets = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const reply = await user.post('/api/2fa/setup', undefined, headers);
      expect([reply.status, isReplay(reply)], reply.text).to.deep.equal([200, false]);
      secrets.push((reply.json() as { readonly secret: string }).secret);
    }
    expect(secrets[0]).not.to.equal(secrets[1]);
  });
});
