import type { Config, RateLimitName } from '@zonewright/configuration';
import { extraPoints, newApiToken, newEdgeKey } from '@zonewright/core';
import { nodeRandomness } from '@zonewright/crypto';
import { plainPasswords } from '@zonewright/memory';
import { expect } from 'chai';
import {
  aMailedToken,
  anApiToken,
  aRegistration,
  aVerifiedUser,
  aZone,
  logIn,
  password,
  type User,
  unique,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem, type Reply, statusCounts } from './support/client.ts';
import { defaultLimits } from './support/config.ts';
import { anEnrolledEdge, aReport, aStoredEdge } from './support/edges.ts';
import { openMemoryService } from './support/memory-service.ts';
import { openService, openTwin, type TestService } from './support/service.ts';
import { aChallenge, aTwoFactorUser, beginSetup, codeOf, wrongCodeFor } from './support/two-factor.ts';

const proxy = '127.0.0.0/8';

/** A network that no other test uses. */
const aNetwork = (): string => {
  const count = unique();
  return `198.51.${count >> 8}.${count & 255}`;
};
const from = (network: string) => ({ 'x-forwarded-for': network });

/** Requires 429 from a limit with these points and seconds, with all header fields. */
function expectLimited(reply: Reply, name: string, { points, seconds }: { points: number; seconds: number }): void {
  expectProblem(reply, 429, 'too-many-requests');
  const retryAfter = Number(reply.headers.get('retry-after'));
  expect(retryAfter).to.be.within(1, seconds);
  expect(reply.text).to.match(new RegExp(`Try again in ${retryAfter} seconds?\\.`));
  expect(reply.headers.get('ratelimit-policy')).to.include(`"${name}";q=${points};w=${seconds}`);
  expect(reply.headers.get('ratelimit')).to.include(`"${name}";r=0;t=${retryAfter}`);
  expect(reply.headers.get('cache-control')).to.equal('no-store');
}

const passwords = plainPasswords();

describe('Rate limits', () => {
  const { rateLimits: usual } = defaultLimits();
  let service: TestService;
  let twin: Awaited<ReturnType<typeof openTwin>>;
  let anonymous: Client;

  before(async () => {
    const overrides: Partial<Config> = { ...defaultLimits(), trustedProxies: [proxy] };
    service = await openService(overrides, { passwords });
    twin = await openTwin(service, overrides, { passwords });
    anonymous = clientOf(service.url);
  });
  after(async () => {
    await twin.close();
    await service.close();
  });

  const logInAgain = async (user: User) => {
    const { token } = await logIn(service, user);
    return clientOf(service.url, { authorization: `Bearer ${token}` });
  };
  const madeUpToken = () => newApiToken(nodeRandomness());
  const madeUpKey = () => newEdgeKey(nodeRandomness());

  const login = (email: string, withPassword: string, network: string, client = anonymous) =>
    client.post('/api/auth/login', { email, password: withPassword }, from(network));

  /** Uses up the budget and sends one more request; returns the last response. */
  const spend = async (points: number, send: (attempt: number) => Promise<Reply>, expected: number): Promise<Reply> => {
    const replies = await Promise.all(Array.from({ length: points }, (_, attempt) => send(attempt)));
    expect(statusCounts(replies)).to.deep.equal({ [expected]: points });
    return send(points);
  };

  describe('POST /api/auth/login', () => {
    it('returns 429 after five wrong passwords for one address from one network, even to the right password', async () => {
      const user = await aVerifiedUser(service);
      const network = aNetwork();
      expectLimited(await spend(5, () => login(user.email, 'wrong', network), 401), 'login-pair', usual['login-pair']);
      expectLimited(await login(user.email, password, network), 'login-pair', usual['login-pair']);
      expectLimited(await login(user.email.toUpperCase(), password, network), 'login-pair', usual['login-pair']);
    });

    it('counts unknown addresses in the same way, and records the targeted account only in the audit log', async () => {
      const user = await aVerifiedUser(service);
      const replies: Reply[] = [];
      const recorded: unknown[] = [];
      for (const email of [user.email, `nobody${unique()}@example.com`]) {
        const network = aNetwork();
        await spend(5, () => login(email, 'wrong', network), 401);
        replies.push(await login(email, password, network));
        recorded.push(
          await service.database.any(
            "SELECT actor_id AS actor, objects FROM audit_log WHERE action = 'access.limited' AND network = $1",
            [network],
          ),
        );
      }
      const objects = { route: '/api/auth/login' };
      expect(recorded).to.deep.equal([[{ actor: user.id, objects }], [{ actor: null, objects }]]);
      const [known, unknown] = replies.map(({ text, headers }) => [
        text.replace(/\d+ seconds/, ''),
        headers.get('ratelimit-policy'),
      ]);
      expect(known).to.deep.equal(unknown);
    });

    it('reports its state on every other response', async () => {
      const user = await aVerifiedUser(service);
      const reply = await login(user.email, 'wrong', aNetwork());
      expect(reply.headers.get('ratelimit-policy')).to.equal('"login-net";q=60;w=900, "login-pair";q=5;w=900');
      expect(reply.headers.get('ratelimit')).to.match(/^"login-net";r=59;t=\d+, "login-pair";r=4;t=\d+$/);
    });

    it('does not reveal attempts by others for the same address', async () => {
      const user = await aVerifiedUser(service);
      const fields = async () => {
        const { status, headers } = await login(user.email, 'wrong', aNetwork());
        return [status, ...['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name))];
      };
      const first = await fields();
      await Promise.all(Array.from({ length: 20 }, () => login(user.email, 'wrong', aNetwork())));
      expect(await fields()).to.deep.equal(first);
      await Promise.all(Array.from({ length: 40 }, () => login(user.email, 'wrong', aNetwork())));
      expect(await fields()).to.deep.equal([429, first[1], '"login-net";r=60;t=900, "login-pair";r=5;t=900', '30']);
    });

    it('does not count invalid requests', async () => {
      const user = await aVerifiedUser(service);
      const network = aNetwork();
      for (let count = 0; count < 6; count += 1) {
        expect((await anonymous.post('/api/auth/login', { email: user.email }, from(network))).status).to.equal(400);
      }
      expect((await login(user.email, password, network)).status).to.equal(200);
    });

    it('lets at most five of a hundred simultaneous attempts on two instances reach the password check', async () => {
      const user = await aVerifiedUser(service);
      const network = aNetwork();
      const clients = [anonymous, clientOf(twin.url)];
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, index) => login(user.email, 'wrong', network, clients[index % 2])),
      );
      expect(statusCounts(replies)).to.deep.equal({ 401: 5, 429: 95 });
      const { checked } = await service.database.one<{ checked: number }>(
        "SELECT count(*)::int AS checked FROM audit_log WHERE actor_id = $1 AND action = 'login.failed'",
        [user.id],
      );
      expect(checked).to.equal(5);
    });
  });

  /** Endpoints limited by network: the number of attempts, the request, and its status below the limit. */
  interface NetRow {
    readonly path: string;
    readonly limiter: RateLimitName;
    readonly status: number;
    readonly body: () => unknown;
  }
  const byNetwork: readonly NetRow[] = [
    { path: '/api/auth/register', limiter: 'register', status: 201, body: aRegistration },
    {
      path: '/api/auth/forgot-password',
      limiter: 'forgot-net',
      status: 200,
      body: () => ({ email: `x${unique()}@example.com` }),
    },
    {
      path: '/api/auth/resend-verification',
      limiter: 'resend-net',
      status: 200,
      body: () => ({ email: `x${unique()}@example.com` }),
    },
    {
      path: '/api/auth/reset-password',
      limiter: 'reset',
      status: 400,
      body: () => ({ token: 'never-issued', password: 'New-Battery-8' }),
    },
    { path: '/api/auth/verify-email', limiter: 'verify', status: 400, body: () => ({ token: 'never-issued' }) },
    { path: '/api/auth/refresh', limiter: 'refresh', status: 401, body: () => ({ refreshToken: 'never-issued' }) },
  ];
  describe('with five points', () => {
    const few = { points: 5, seconds: 600 };
    let tight: Awaited<ReturnType<typeof openTwin>>;
    before(async () => {
      const names = [...byNetwork.map(({ limiter }) => limiter), 'api'] as const;
      const rateLimits = { ...usual, ...Object.fromEntries(names.map((name) => [name, few])) };
      tight = await openTwin(service, { rateLimits, trustedProxies: [proxy] }, { passwords });
    });
    after(() => tight.close());

    for (const { path, limiter, status, body } of byNetwork) {
      it(`cause POST ${path} to answer 429 after five requests from one network`, async () => {
        const network = aNetwork();
        const send = (by = network) => clientOf(tight.url).post(path, body(), from(by));
        expectLimited(await spend(few.points, () => send(), status), limiter, few);
        expect((await send(aNetwork())).status).to.equal(status);
      });
    }

    it('cause 429 for a session or token after five requests, and for no other one', async () => {
      const user = await aVerifiedUser(service);
      const token = await anApiToken(user);
      const read = (client: Client) => client.get(new URL('/api/users/me', tight.url).href);
      expectLimited(await spend(few.points, () => read(token), 200), 'api', few);
      expect((await read(user)).status).to.equal(200);
    });
  });

  for (const [path, limiter] of [
    ['/api/auth/forgot-password', 'forgot-pair'],
    ['/api/auth/resend-verification', 'resend-pair'],
  ] as const) {
    it(`POST ${path} answers 429 after five requests for one address from one network`, async () => {
      const network = aNetwork();
      const email = `x${unique()}@example.com`;
      const send = () => anonymous.post(path, { email }, from(network));
      expectLimited(await spend(5, send, 200), limiter, usual[limiter]);
      expect((await anonymous.post(path, { email: `y${email}` }, from(network))).status).to.equal(200);
      expect((await anonymous.post(path, { email }, from(aNetwork()))).status).to.equal(200);
    });
  }

  describe('a second factor', () => {
    it('returns 429 after ten wrong codes of one user across endpoints, even to the right code', async () => {
      const user = await aTwoFactorUser(service);
      for (let count = 0; count < 6; count += 1) {
        const path = count % 2 === 0 ? '/api/2fa/disable' : '/api/2fa/recovery-codes';
        expect((await user.post(path, { code: wrongCodeFor(user.secret) })).status).to.equal(422);
      }
      const challengeToken = await aChallenge(service, user);
      const answer = (code: string) => anonymous.post('/api/auth/2fa', { code, challengeToken }, from(aNetwork()));
      for (let count = 0; count < 4; count += 1) expect((await answer(wrongCodeFor(user.secret))).status).to.equal(401);
      expectLimited(await answer(codeOf(user.secret)), 'mfa-user', usual['mfa-user']);
      expectLimited(await user.post('/api/2fa/disable', { code: codeOf(user.secret) }), 'mfa-user', usual['mfa-user']);
      // The password alone still works, so guessing codes cannot lock the user out of the first step.
      expect(await aChallenge(service, user)).to.be.a('string');
    });

    it('POST /api/2fa/confirm answers 429 after ten wrong codes', async () => {
      const user = await aVerifiedUser(service);
      const { secret } = await beginSetup(user);
      const send = () => user.post('/api/2fa/confirm', { code: wrongCodeFor(secret) });
      expectLimited(await spend(10, send, 422), 'mfa-user', usual['mfa-user']);
      expectLimited(await user.post('/api/2fa/confirm', { code: codeOf(secret) }), 'mfa-user', usual['mfa-user']);
    });

    it('does not count codes for an invalid challenge, so an old challenge cannot lock the owner out', async () => {
      const user = await aTwoFactorUser(service);
      const old = await aChallenge(service, user);
      const token = await aMailedToken(service, user, 'reset-password');
      const newPassword = 'New-Battery-8';
      expect((await anonymous.post('/api/auth/reset-password', { token, password: newPassword })).status).to.equal(200);
      for (let count = 0; count < 10; count += 1) {
        const reply = await anonymous.post('/api/auth/2fa', { code: '000000', challengeToken: old });
        expect(reply.status).to.equal(401);
      }
      const { challengeToken } = (await login(user.email, newPassword, aNetwork())).json() as {
        challengeToken: string;
      };
      const reply = await anonymous.post('/api/auth/2fa', { code: codeOf(user.secret), challengeToken });
      expect(reply.status, reply.text).to.equal(200);
    });

    it('lets at most ten of a hundred simultaneous wrong codes of one user reach the check, on two instances', async () => {
      const user = await aTwoFactorUser(service);
      const paths = [service.url, twin.url].map((url) => new URL('/api/2fa/disable', url).href);
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          user.post(paths[index % 2] ?? '', { code: wrongCodeFor(user.secret) }),
        ),
      );
      expect(statusCounts(replies)).to.deep.equal({ 422: 10, 429: 90 });
    });

    it('lets at most five of fifty simultaneous wrong codes for one challenge reach the check', async () => {
      const user = await aTwoFactorUser(service);
      const challengeToken = await aChallenge(service, user);
      const clients = [anonymous, clientOf(twin.url)];
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (clients[index % 2] ?? anonymous).post('/api/auth/2fa', { code: wrongCodeFor(user.secret), challengeToken }),
        ),
      );
      const checked = replies.filter(({ text }) => text.includes('invalid-verification-code'));
      expect(checked).to.have.length(5);
      const { attempts } = await service.database.one<{ attempts: number }>(
        'SELECT attempts FROM challenges WHERE user_id = $1',
        [user.id],
      );
      expect(attempts).to.equal(5);
    });
  });

  it('POST /api/auth/confirm answers 429 after five wrong passwords, as a login does', async () => {
    const user = await aVerifiedUser(service);
    const confirm = (attempt: string) => user.post('/api/auth/confirm', { password: attempt });
    expectLimited(await spend(5, () => confirm('wrong'), 401), 'login-pair', usual['login-pair']);
    expectLimited(await confirm(password), 'login-pair', usual['login-pair']);
  });

  it('POST /api/users/me/password answers 429 after ten wrong current passwords, counted separately from codes', async () => {
    const user = await aTwoFactorUser(service);
    const change = (currentPassword: string) =>
      user.post('/api/users/me/password', { currentPassword, newPassword: 'New-Battery-8' });
    expectLimited(await spend(10, () => change('wrong'), 422), 'mfa-user', usual['mfa-user']);
    expectLimited(await change(password), 'mfa-user', usual['mfa-user']);
    expect((await user.post('/api/2fa/disable', { code: codeOf(user.secret) })).status).to.equal(200);
  });

  describe('a credential', () => {
    it('reports its state on every response', async () => {
      const user = await aVerifiedUser(service);
      const reply = await user.get('/api/users/me');
      expect(reply.headers.get('ratelimit-policy')).to.equal('"api";q=600;w=60, "api-user";q=1200;w=60');
      expect(reply.headers.get('ratelimit')).to.match(/^"api";r=599;t=\d+, "api-user";r=1199;t=\d+$/);
      const limited = await user.post('/api/2fa/disable', { code: '123456' });
      expect(limited.headers.get('ratelimit-policy')).to.equal(
        '"api";q=600;w=60, "api-user";q=1200;w=60, "mfa-user";q=10;w=900',
      );
    });

    describe('by its work', () => {
      let priced: Awaited<ReturnType<typeof openTwin>>;
      before(async () => {
        priced = await openTwin(service, { ...defaultLimits() }, { passwords, pointsOf: extraPoints });
      });
      after(() => priced.close());
      const read = (client: Client) => client.get(new URL('/api/users/me', priced.url).href);
      const pointsLeft = (reply: Reply) => Number(/"api";r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1]);

      it('pays a point for every 64 KiB of a body besides its first', async () => {
        const user = await aVerifiedUser(service);
        const before = pointsLeft(await read(user));
        await user.patch(new URL('/api/users/me', priced.url).href, { firstName: 'x'.repeat(200 * 1024) });
        expect(before - pointsLeft(await read(user))).to.be.within(1 + 3 + 1, 30);
      });
    });

    describe('whose budget is used up', () => {
      const limits = { points: 3, seconds: 60 };
      const statements: string[] = [];
      let tight: Awaited<ReturnType<typeof openTwin>>;
      before(async () => {
        const overrides = { rateLimits: { ...usual, api: limits } };
        tight = await openTwin(service, overrides, { passwords, onStatement: ({ text }) => statements.push(text) });
      });
      after(() => tight.close());
      const read = (client: Client, path = '/api/users/me') => client.get(new URL(path, tight.url).href);
      const isOfRequest = (text: string) => /callers\/|accounts\/|api-tokens\/|rate-limits\/take/.test(text);
      const kinds: readonly (readonly [string, (user: User) => Promise<Client> | Client])[] = [
        ['session', (user) => user],
        ['API token', (user) => anApiToken(user)],
      ];
      for (const [what, credentialOf] of kinds) {
        it(`is refused before any statement, with the same response: ${what}`, async () => {
          const client = await credentialOf(await aVerifiedUser(service));
          for (let count = 0; count < limits.points; count += 1) expect((await read(client)).status).to.equal(200);
          const first = await read(client);
          expectLimited(first, 'api', limits);
          statements.length = 0;
          const again = await read(client);
          expectLimited(again, 'api', limits);
          expect(statements.filter(isOfRequest)).to.deep.equal([]);
          const policy = (reply: Reply) => reply.headers.get('ratelimit-policy');
          expect(policy(again)).to.equal(policy(first));
        });
      }

      it('is refused also where it would be refused for what it is', async () => {
        const client = await anApiToken(await aVerifiedUser(service), { readOnly: true });
        const write = () => client.post(new URL('/api/zones', tight.url).href, { name: 'x' });
        for (let count = 0; count < limits.points; count += 1) expect((await write()).status).to.equal(403);
        expectLimited(await write(), 'api', limits);
      });

      it('tells other credentials nothing: a forged, unknown or ended one gets 401', async () => {
        const user = await aVerifiedUser(service);
        const token = await anApiToken(user);
        for (const client of [user, token]) {
          for (let count = 0; count <= limits.points; count += 1) await read(client);
          expect((await read(client)).status).to.equal(429);
        }
        const ended = await logInAgain(user);
        expect((await ended.post('/api/auth/logout')).status).to.equal(200);
        expect((await read(ended)).status).to.equal(401);
        const forged = { authorization: `Bearer ${user.token.replace(/\.[^.]+$/, '.AAAA')}` };
        expect((await read(clientOf(tight.url, forged))).status).to.equal(401);
        expect((await read(clientOf(tight.url, { 'x-api-token': madeUpToken() }))).status).to.equal(401);
        expect((await read(await logInAgain(user))).status).to.equal(200);
      });
    });

    it('returns 429 for every session and token of a user whose budget is used up, and to nobody else', async () => {
      const limits = { points: 4, seconds: 60 };
      const perUser = { points: 6, seconds: 60 };
      const tight = await openTwin(
        service,
        { rateLimits: { ...usual, api: limits, 'api-user': perUser } },
        { passwords },
      );
      const [user, other] = [await aVerifiedUser(service), await aVerifiedUser(service)];
      const token = await anApiToken(user);
      await service.database.none('TRUNCATE rate_limits');
      const read = (client: Client) => client.get(new URL('/api/users/me', tight.url).href);
      const replies = [];
      for (const client of [user, user, user, user, token, token]) replies.push(await read(client));
      expect(statusCounts(replies)).to.deep.equal({ 200: 6 });
      expectLimited(await read(token), 'api-user', perUser);
      expectLimited(await read(await logInAgain(user)), 'api-user', perUser);
      expect((await read(other)).status).to.equal(200);
      await tight.close();
    });
  });

  describe('unknown credentials', () => {
    const budget = { points: 3, seconds: 300 };
    let tight: Awaited<ReturnType<typeof openTwin>>;
    let client: Client;
    const statements: string[] = [];
    let foreign: string;
    before(async () => {
      foreign = (await anApiToken(await aVerifiedUser(service), { networks: ['255.255.255.255'] })).plainToken;
      const overrides = { trustedProxies: [proxy], rateLimits: { ...usual, credentials: budget } };
      tight = await openTwin(service, overrides, { onStatement: ({ text }) => statements.push(text) });
      client = clientOf(tight.url);
    });
    after(() => tight.close());

    const statementsDuring = async (work: () => Promise<unknown>) => {
      // Background workers have their own statements and transactions.
      const isOfRequest = (text: string) =>
        !/outbox_mails|clean-up\/|domain-checks\/|zone_publications_due|pg_try_advisory_xact_lock|DELETE FROM|^(BEGIN|COMMIT|ROLLBACK)/i.test(
          text,
        );
      statements.length = 0;
      await work();
      return statements.filter(isOfRequest);
    };
    const unknown = (): readonly (readonly [string, (network: string) => Promise<Reply>])[] => [
      ['API tokens', (network) => client.get('/api/zones', { ...from(network), 'x-api-token': madeUpToken() })],
      [
        'API tokens of other networks',
        (network) => client.get('/api/zones', { ...from(network), 'x-api-token': foreign }),
      ],
      [
        'API tokens at public endpoints',
        (network) => client.post('/api/auth/verify-email', {}, { ...from(network), 'x-api-token': madeUpToken() }),
      ],
      [
        'challenges',
        (network) => client.post('/api/auth/2fa', { code: '123456', challengeToken: `${unique()}` }, from(network)),
      ],
      [
        'refresh tokens to log out with',
        (network) => client.post('/api/auth/logout', { refreshToken: `${unique()}` }, from(network)),
      ],
      [
        'keys of edges',
        (network) => client.get('/edge/v1/changes', { ...from(network), authorization: `Bearer ${madeUpKey()}` }),
      ],
      [
        'enrolment tokens',
        (network) => client.post('/edge/v1/enrolments', { token: `zwt_${unique()}` }, from(network)),
      ],
    ];
    for (const [index, [what]] of unknown().entries()) {
      it(`get 429 from a network that presented too many ${what}, without any statement`, async () => {
        const send = unknown()[index]![1];
        const network = aNetwork();
        for (let count = 0; count < budget.points; count += 1) expect((await send(network)).status).to.be.below(402);
        expectLimited(await send(network), 'credentials', budget);
        expect(await statementsDuring(() => send(network))).to.deep.equal([]);
        expect((await send(aNetwork())).status).to.be.below(402);
      });
    }

    it('lock out no credential of their network that is known to be good, and give no further guess', async () => {
      const user = await aVerifiedUser(service);
      const edge = await aStoredEdge(service.database);
      const network = aNetwork();
      const here = clientOf(tight.url, { ...from(network), authorization: `Bearer ${user.token}` });
      const { plainToken } = await anApiToken({ ...user, ...here });
      const asEdge = (key: string) =>
        client.get('/edge/v1/changes', { ...from(network), authorization: `Bearer ${key}` });
      const asProgram = (token: string) => client.get('/api/zones', { ...from(network), 'x-api-token': token });
      const both = async () => [(await asEdge(edge.key)).status, (await asProgram(plainToken)).status];
      // The edge has been here before; the token was issued here.
      expect((await asEdge(edge.key)).status).to.equal(200);
      for (let count = 0; count <= budget.points; count += 1) await asEdge(madeUpKey());
      expect(await both()).to.deep.equal([200, 200]);
      for (const guess of [() => asEdge(madeUpKey()), () => asProgram(madeUpToken())]) {
        // The first is recorded.
        await guess();
        const statementsOfGuess = await statementsDuring(async () =>
          expectLimited(await guess(), 'credentials', budget),
        );
        expect(statementsOfGuess).to.deep.equal([]);
      }
      await service.database.none('DELETE FROM edges WHERE key_hash = $1', [edge.hash]);
      expect((await asEdge(edge.key)).status, 'once it is found to be bad').to.equal(401);
      expectLimited(await asEdge(edge.key), 'credentials', budget);
    });

    it('lock out nobody with a session, and only the session that has ended', async () => {
      const [user, ended] = [await aVerifiedUser(service), await aVerifiedUser(service)];
      const network = aNetwork();
      const me = ({ token }: { readonly token: string }) =>
        client.get('/api/users/me', { ...from(network), authorization: `Bearer ${token}` });
      const garbage = () => client.get('/api/users/me', { ...from(network), 'x-api-token': madeUpToken() });
      for (let count = 0; count <= budget.points; count += 1) await garbage();
      expect((await garbage()).status).to.equal(429);
      expect((await me(user)).status).to.equal(200);
      expect((await ended.post('/api/auth/logout')).status).to.equal(200);
      for (let count = 0; count < budget.points; count += 1) expect((await me(ended)).status).to.equal(401);
      expect((await me(ended)).status).to.equal(429);
      expect(await statementsDuring(() => me(ended))).to.deep.equal([]);
      expect((await me(user)).status).to.equal(200);
    });

    it('do not count when nothing was looked up: expired and malformed ones cost nothing', async () => {
      const network = aNetwork();
      const send = () =>
        Promise.all([
          client.get('/api/users/me', { ...from(network), authorization: 'Bearer a.b.c' }),
          client.get('/api/users/me', { ...from(network), 'x-api-token': `${madeUpToken().slice(0, -1)}-` }),
          client.get('/api/users/me', from(network)),
          client.post('/api/auth/logout', {}, from(network)),
        ]);
      for (let count = 0; count <= budget.points; count += 1) {
        expect(statusCounts(await send())).to.deep.equal({ 401: 4 });
      }
      expect(await statementsDuring(send)).to.deep.equal([]);
    });

    it('are recorded once when their network is rejected', async () => {
      const network = aNetwork();
      for (let count = 0; count < 8; count += 1) {
        await client.post('/api/auth/logout', { refreshToken: `${unique()}` }, from(network));
      }
      const { count } = await service.database.one<{ count: number }>(
        "SELECT count(*)::int AS count FROM audit_log WHERE action = 'access.limited' AND network = $1",
        [network],
      );
      expect(count).to.equal(1);
    });
  });

  describe('an edge', () => {
    it('has budgets of its own for feed and reports, and for documents', async () => {
      const [edge, documents] = [
        { points: 3, seconds: 60 },
        { points: 2, seconds: 60 },
      ];
      const rateLimits = { ...usual, edge, 'edge-documents': documents };
      const tight = await openTwin(service, { rateLimits });
      const clientWith = ({ key }: { readonly key: string }) => clientOf(tight.url, { authorization: `Bearer ${key}` });
      const [one, other] = [await aStoredEdge(service.database), await aStoredEdge(service.database)].map(clientWith);
      const document = (client = one) => client?.get(`/edge/v1/documents/sha256:${'0'.repeat(64)}`);
      const feed = (client = one) => client?.get('/edge/v1/changes');
      for (const _ of [1, 2]) expect((await document())?.status).to.equal(404);
      expectLimited((await document()) as Reply, 'edge-documents', documents);
      for (const _ of [1, 2]) expect((await feed())?.status).to.equal(200);
      expect((await one?.put('/edge/v1/state', aReport))?.status).to.equal(204);
      expectLimited((await feed()) as Reply, 'edge', edge);
      expect([(await document(other))?.status, (await feed(other))?.status]).to.deep.equal([404, 200]);
      await tight.close();
    });

    it('pays for large answers', async () => {
      const rateLimits = { ...usual, edge: { points: 60, seconds: 60 } };
      const rules = { own: undefined, verification: 'off' } as const;
      const small = await openMemoryService({ rateLimits, hostNameRules: rules });
      const user = await aVerifiedUser(small);
      for (let made = 0; made < 100; made += 1) await aZone(user, { hostnames: [`h${unique()}.example.com`] });
      const edge = await anEnrolledEdge(small);
      const state = async () => {
        const reply = await edge.get('/edge/v1/changes');
        const [, left] = /^"edge";r=(\d+);/.exec(reply.headers.get('ratelimit') ?? '') ?? [];
        return { zones: (reply.json() as { readonly zones: readonly unknown[] }).zones.length, left: Number(left) };
      };
      let before = await state();
      while (before.zones < 100) before = await state();
      // One point for the hundred zones of the answer before, and one for asking again.
      expect((await state()).left).to.equal(before.left - 2);
      await small.close();
    });
  });

  describe('a network', () => {
    it('shares a budget of eight with the others of its IPv6 /48', async () => {
      const budget = { points: 2, seconds: 900 };
      const tight = await openTwin(
        service,
        { trustedProxies: [proxy], rateLimits: { ...usual, 'login-net': budget, credentials: budget } },
        { passwords },
      );
      const client = clientOf(tight.url);
      const user = await aVerifiedUser(service);
      const site = `2001:db8:${unique().toString(16)}`;
      const signIn = (network: string) => login(`nobody${unique()}@example.com`, 'wrong', network, client);
      const present = (network: string) => client.get('/api/zones', { ...from(network), 'x-api-token': madeUpToken() });
      for (let count = 0; count < 16; count += 1) {
        expect((await signIn(`${site}:${count.toString(16)}::1`)).status).to.equal(401);
        expect((await present(`${site}:${count.toString(16)}::1`)).status).to.equal(401);
      }
      const refused = await login(user.email, password, `${site}:77::1`, client);
      expectProblem(refused, 429, 'too-many-requests');
      expect(refused.headers.get('ratelimit')).to.include('"login-net";r=2').and.not.include('r=0');
      expectProblem(await present(`${site}:77::1`), 429, 'too-many-requests');
      expect((await login(user.email, password, '2001:db8:ffff:1::1', client)).status).to.equal(200);
      await tight.close();
    });
  });

  it('are stored without addresses or networks', async () => {
    const email = `hidden${unique()}@example.com`;
    const network = aNetwork();
    await login(email, 'wrong', network);
    const rows = await service.database.any<{ key: string }>('SELECT key FROM rate_limits');
    for (const { key } of rows) expect(key).to.match(/^[0-9a-f]{64}$/);
  });
});
