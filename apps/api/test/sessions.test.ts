import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { aRegisteredUser, aVerifiedUser, aZone, logIn, password, type Tokens, type User } from './support/arrange.ts';
import { type Client, clientOf, cookieValue, expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { anHourOld, decoded } from './support/signed-tokens.ts';

const clearedCookies = [
  '__Host-access_token=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
  '__Secure-refresh_token=; Path=/api/auth; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
];

const accessCookie = (token: string) => ({ cookie: `__Host-access_token=${token}` });
const refreshCookie = (token: string) => ({ cookie: `__Secure-refresh_token=${token}` });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** `Set-Cookie` values with each secret replaced by the name of the expected token. */
function cookieShapes({ cookies, ...reply }: Reply): string[] {
  const { token, refreshToken } = reply.json() as Tokens;
  return cookies.map((cookie) => cookie.replace(token, '<token>').replace(refreshToken, '<refreshToken>'));
}

/** Requires exactly the tokens, in the body and as cookies, in a response that may not be stored. */
function expectTokens(reply: Reply): void {
  expect(reply.json()).to.have.all.keys('token', 'refreshToken');
  expect(reply.headers.get('cache-control')).to.equal('no-store');
  expect(cookieShapes(reply)).to.deep.equal([
    '__Host-access_token=<token>; Path=/; Max-Age=900; HttpOnly; Secure; SameSite=Lax',
    '__Secure-refresh_token=<refreshToken>; Path=/api/auth; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict',
  ]);
}

describe('Sessions', () => {
  let service: MemoryService;
  let anonymous: Client;
  let ada: User;

  before(async () => {
    service = await openMemoryService({ corsOrigins: ['https://app.example.com'] });
    anonymous = clientOf(service.url);
  });
  beforeEach(async () => {
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const refresh = (refreshToken: string) => anonymous.post('/api/auth/refresh', { refreshToken });
  const statusOfMe = async (token: string) => (await anonymous.get('/api/users/me', bearer(token))).status;

  describe('POST /api/auth/login', () => {
    const login = (body: unknown) => anonymous.post('/api/auth/login', body);

    it('returns 200 with exactly two tokens, also as cookies over TLS only that scripts cannot read', async () => {
      const reply = await login({ email: ada.email, password });
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expectTokens(reply);
    });

    it('issues a JWT of the issuer that contains only ids of user and session', async () => {
      const claims = decoded(ada.token.split('.')[1]) as Readonly<Record<string, unknown>>;
      expect(claims).to.have.all.keys('iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp', 'amr');
      expect(claims).to.include({ iss: service.url, sub: ada.id });
    });

    it('returns 401 for a wrong password and for an unknown address with the same body', async () => {
      const wrong = await login({ email: ada.email, password: 'Wrong-Horse-7' });
      const unknown = await login({ email: `nobody-${ada.email}`, password });
      expectProblem(wrong, 401, 'invalid-credentials');
      expect(unknown.status).to.equal(401);
      expect(unknown.text).to.equal(wrong.text);
      expect(wrong.headers.get('www-authenticate')).to.equal('Bearer');
      expect(wrong.cookies).to.deep.equal([]);
    });

    it('returns 403 for an inactive account, and 400 for missing members', async () => {
      const { email } = await aRegisteredUser(service);
      expectProblem(await login({ email, password }), 403, 'account-inactive');
      expectProblem(await login({}), 400, 'validation-failed', ['email: member.required', 'password: member.required']);
    });
  });

  describe('POST /api/auth/refresh', () => {
    it('returns 200 with a new pair for a refresh token in the body or the cookie', async () => {
      const reply = await refresh(ada.refreshToken);
      expect(reply.status).to.equal(200);
      expectTokens(reply);
      let { token, refreshToken } = reply.json() as Tokens;
      expect(await statusOfMe(token)).to.equal(200);
      for (const body of [undefined, {}]) {
        const next = await anonymous.post('/api/auth/refresh', body, refreshCookie(refreshToken));
        expect(next.status).to.equal(200);
        ({ token, refreshToken } = next.json() as Tokens);
      }
    });

    it('prefers the token in the body to the cookie', async () => {
      const eve = await aVerifiedUser(service);
      const reply = await anonymous.post(
        '/api/auth/refresh',
        { refreshToken: ada.refreshToken },
        refreshCookie(eve.refreshToken),
      );
      const me = await anonymous.get('/api/users/me', bearer((reply.json() as Tokens).token));
      expect(me.json()).to.include({ id: ada.id });
      expect((await refresh(eve.refreshToken)).status).to.equal(200);
    });

    it('returns 400 when the refresh token is missing', async () => {
      const violations = ['refreshToken: member.required'];
      expectProblem(await anonymous.post('/api/auth/refresh', {}), 400, 'validation-failed', violations);
      expectProblem(await anonymous.post('/api/auth/refresh'), 400, 'validation-failed', violations);
    });

    for (const [where, present] of [
      ['in the body', (refreshToken: string) => anonymous.post('/api/auth/refresh', { refreshToken })],
      ['in the cookie', (token: string) => anonymous.post('/api/auth/refresh', undefined, refreshCookie(token))],
    ] as const) {
      it(`returns 401 for an access token or garbage ${where}, and 400 for more than 4096 characters`, async () => {
        for (const token of [ada.token, 'x', 'x'.repeat(4096)]) {
          expectProblem(await present(token), 401, 'invalid-refresh-token');
        }
        expectProblem(await present('x'.repeat(4097)), 400, 'validation-failed', ['refreshToken: text.tooLong']);
      });
    }

    it('returns 401 for reuse, and clears the cookies', async () => {
      const next = (await refresh(ada.refreshToken)).json() as Tokens;
      const reused = await refresh(ada.refreshToken);
      expectProblem(reused, 401, 'refresh-token-reused');
      expect(reused.headers.get('www-authenticate')).to.equal('Bearer');
      expect(reused.cookies).to.deep.equal(clearedCookies);
      expect(await statusOfMe(next.token)).to.equal(401);
    });
  });

  describe('POST /api/auth/logout', () => {
    const logout = (headers: Readonly<Record<string, string>>, body?: unknown) =>
      anonymous.post('/api/auth/logout', body, headers);

    const expectEnded = async (reply: Reply, { token, refreshToken }: Tokens) => {
      expect(reply.status, reply.text).to.equal(200);
      expect(Object.keys(reply.json() as object)).to.deep.equal(['message']);
      expect(reply.cookies).to.deep.equal(clearedCookies);
      expect(await statusOfMe(token)).to.equal(401);
      expectProblem(await refresh(refreshToken), 401, 'invalid-refresh-token');
    };

    const ways: readonly (readonly [name: string, log: (tokens: Tokens) => Promise<Reply>])[] = [
      ['an access token in the header', ({ token }) => logout(bearer(token))],
      ['an access token in the cookie', ({ token }) => logout(accessCookie(token))],
      ['a refresh token in the cookie', ({ refreshToken }) => logout(refreshCookie(refreshToken))],
      ['a refresh token in the body', ({ refreshToken }) => logout({}, { refreshToken })],
      ['both tokens of one session', ({ token, refreshToken }) => logout(bearer(token), { refreshToken })],
    ];
    for (const [name, way] of ways) {
      it(`returns 200 for ${name}, clears the cookies and ends the session`, async () => {
        await expectEnded(await way(ada), ada);
      });
    }

    it('returns 401 without a valid credential', async () => {
      const garbage = randomBytes(32).toString('base64url');
      for (const reply of [
        await logout({}),
        await logout({}, {}),
        await logout(bearer(garbage)),
        await logout(accessCookie(garbage)),
        await logout(refreshCookie(garbage)),
        await logout({}, { refreshToken: garbage }),
      ]) {
        expectProblem(reply, 401, 'unauthenticated');
        expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
      }
    });

    it('returns 400 for a refresh token of another type', async () => {
      const reply = await logout(bearer(ada.token), { refreshToken: 7 });
      expectProblem(reply, 400, 'validation-failed', ['refreshToken: member.type']);
    });
  });

  describe('Access tokens', () => {
    it('are accepted from the cookie if there is no header', async () => {
      expect((await anonymous.get('/api/users/me', accessCookie(ada.token))).status).to.equal(200);
    });

    it('are ignored in the cookie if there is a header', async () => {
      const reply = await anonymous.get('/api/users/me', { ...accessCookie(ada.token), ...bearer('garbage') });
      expectProblem(reply, 401, 'unauthenticated');
    });

    it('are accepted after the scheme in any case, and after one space or several', async () => {
      const statusWith = async (authorization: string) =>
        (await anonymous.get('/api/users/me', { authorization })).status;
      expect(await statusWith(`bearer ${ada.token}`)).to.equal(200);
      expect(await statusWith(`BEARER ${ada.token}`)).to.equal(200);
      expect(await statusWith(`Bearer   ${ada.token}`)).to.equal(200);
      for (const header of [ada.token, `Basic ${ada.token}`, `Bearer ${ada.token} x`, 'Bearer']) {
        expect(await statusWith(header), header).to.equal(401);
      }
    });

    it('are refused in the wrong place, with a hint where they belong', async () => {
      const hint = 'Send an access token in Authorization, after the word Bearer, or an API token in X-API-TOKEN.';
      const detailWith = async (authorization: string) =>
        ((await anonymous.get('/api/users/me', { authorization })).json() as { detail?: string }).detail;
      for (const misplaced of [ada.token, 'eyJ.a.b', 'zw_example', 'Bearer zw_example']) {
        expect(await detailWith(misplaced)).to.equal(`This request requires valid credentials. ${hint}`);
      }
      expect(await detailWith('Bearer garbage')).to.equal('This request requires valid credentials.');
    });

    it('are refused after they expired or were tampered with', async () => {
      const tampered = [`${ada.token.slice(0, -4)}aaaa`, '..', 'é', 'x'.repeat(4000), ada.refreshToken];
      for (const token of [anHourOld(ada.token, service), ...tampered]) {
        expect(await statusOfMe(token), token).to.equal(401);
      }
    });
  });

  describe('Cross-site request forgery', () => {
    const foreign: readonly Readonly<Record<string, string>>[] = [
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: 'https://app.example.com.evil.example.com' },
      { origin: 'http://app.example.com' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example.com', 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' },
    ];
    const trusted = (): readonly Readonly<Record<string, string>>[] => [
      {},
      { origin: service.url },
      { origin: 'https://app.example.com' },
      { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ];

    it('returns 403 to pages of other origins that refresh, log out or write by cookie', async () => {
      const zone = await aZone(ada);
      const cookie = `${accessCookie(ada.token).cookie}; ${refreshCookie(ada.refreshToken).cookie}`;
      for (const headers of foreign) {
        const call = { ...headers, cookie };
        for (const reply of [
          await anonymous.post('/api/auth/refresh', undefined, call),
          await anonymous.post('/api/auth/logout', undefined, call),
          await anonymous.post('/api/zones', { name: 'x' }, call),
          await anonymous.delete(`/api/zones/${zone.id}`, call),
        ]) {
          expectProblem(reply, 403, 'foreign-origin');
          expect(reply.cookies).to.deep.equal([]);
        }
      }
      expect(await statusOfMe(ada.token)).to.equal(200);
      expect((await refresh(ada.refreshToken)).status).to.equal(200);
    });

    it('returns 200 to pages of its own origin, of listed origins, and to clients that are not browsers', async () => {
      for (const headers of trusted()) {
        const { refreshToken } = await logIn(service, ada);
        const reply = await anonymous.post('/api/auth/refresh', undefined, {
          ...headers,
          ...refreshCookie(refreshToken),
        });
        expect(reply.status, JSON.stringify(headers)).to.equal(200);
        const logout = { ...headers, ...accessCookie((reply.json() as Tokens).token) };
        expect((await anonymous.post('/api/auth/logout', undefined, logout)).status).to.equal(200);
      }
    });

    it('allows cross-site reads by cookie, because browsers keep the response from the page', async () => {
      const headers = { ...accessCookie(ada.token), origin: 'https://evil.example.com' };
      const reply = await anonymous.get('/api/users/me', headers);
      expect(reply.status).to.equal(200);
      expect(reply.headers.has('access-control-allow-origin')).to.equal(false);
    });

    it('does not apply to requests without cookies', async () => {
      const origin = { origin: 'https://evil.example.com' };
      const body = { refreshToken: ada.refreshToken };
      expect((await anonymous.post('/api/auth/refresh', body, origin)).status).to.equal(200);
      expect((await ada.post('/api/zones', { name: 'by header' }, origin)).status).to.equal(201);
    });
  });

  it('keeps passwords, tokens, cookies and addresses out of the log', async () => {
    const reply = await anonymous.post('/api/auth/login', { email: ada.email, password });
    const { token, refreshToken } = reply.json() as Tokens;
    await anonymous.get(`/api/zones?q=${refreshToken}`, bearer(token));
    await anonymous.post('/api/auth/refresh', { refreshToken }, { 'user-agent': 'Secret-Agent/7' });
    const log = JSON.stringify(service.log);
    for (const secret of [password, token, refreshToken, ada.email, cookieValue(reply, '__Host-access_token')]) {
      expect(log).not.to.include(secret);
    }
    expect(service.log.at(-1)).to.include({ method: 'POST', route: '/api/auth/refresh', status: 200, msg: 'request' });
  });
});
