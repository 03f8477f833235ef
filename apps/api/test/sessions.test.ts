import { randomBytes } from 'node:crypto';
import { administration, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { aRegisteredUser, aVerifiedUser, aZone, logIn, password, type Tokens, type User } from './support/arrange.ts';
import { type Client, clientOf, cookieValue, expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { anHourOld, decoded, encoded, signed } from './support/signed-tokens.ts';

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
  const block = (id: string) =>
    administration(service).blockUser({ network: undefined, userAgent: 'test' }, id as UserId);

  describe('POST /api/auth/login', () => {
    const login = (body: unknown) => anonymous.post('/api/auth/login', body);

    it('answers 200 with exactly an access token and a refresh token', async () => {
      const reply = await login({ email: ada.email, password });
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(reply.json()).to.have.all.keys('token', 'refreshToken');
      expect(await statusOfMe((reply.json() as Tokens).token)).to.equal(200);
    });

    it('sets both tokens as cookies for this origin only, over TLS only, unreadable by scripts', async () => {
      expect(cookieShapes(await login({ email: ada.email, password }))).to.deep.equal([
        '__Host-access_token=<token>; Path=/; Max-Age=900; HttpOnly; Secure; SameSite=Lax',
        '__Secure-refresh_token=<refreshToken>; Path=/api/auth; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict',
      ]);
    });

    it('issues a JWT valid for 15 minutes that contains only ids of user and session', async () => {
      const [header, payload] = ada.token.split('.');
      const claims = decoded(payload) as Readonly<Record<string, unknown>>;
      expect(decoded(header)).to.include({ typ: 'at+jwt', alg: 'HS256', kid: 'k1' });
      expect(claims).to.have.all.keys('iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp', 'amr');
      expect(claims).to.include({ iss: service.url, sub: ada.id });
      expect(Number(claims['exp']) - Number(claims['iat'])).to.equal(900);
    });

    it('answers 401 to a wrong password and to an unknown address with the same body', async () => {
      const wrong = await login({ email: ada.email, password: 'Wrong-Horse-7' });
      const unknown = await login({ email: `nobody-${ada.email}`, password });
      expectProblem(wrong, 401, 'invalid-credentials');
      expect(unknown.status).to.equal(401);
      expect(unknown.text).to.equal(wrong.text);
      expect(wrong.headers.get('www-authenticate')).to.equal('Bearer');
      expect(wrong.cookies).to.deep.equal([]);
    });

    it('answers 403 to an account whose address is not verified', async () => {
      const { email } = await aRegisteredUser(service);
      expectProblem(await login({ email, password }), 403, 'account-inactive');
    });

    it('answers 403 to a deactivated account, and 401 when its password is wrong', async () => {
      await block(ada.id);
      expectProblem(await login({ email: ada.email, password }), 403, 'account-inactive');
      expectProblem(await login({ email: ada.email, password: 'wrong' }), 401, 'invalid-credentials');
    });

    it('answers 400 to missing fields', async () => {
      expectProblem(await login({}), 400, 'validation-failed', ['email: member.required', 'password: member.required']);
    });
  });

  describe('POST /api/auth/refresh', () => {
    it('answers 200 with a new pair, whose refresh token works and whose cookies are set', async () => {
      const reply = await refresh(ada.refreshToken);
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      const { token, refreshToken } = reply.json() as Tokens;
      expect(reply.json()).to.have.all.keys('token', 'refreshToken');
      expect(refreshToken).not.to.equal(ada.refreshToken);
      expect(cookieShapes(reply)).to.deep.equal([
        '__Host-access_token=<token>; Path=/; Max-Age=900; HttpOnly; Secure; SameSite=Lax',
        '__Secure-refresh_token=<refreshToken>; Path=/api/auth; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict',
      ]);
      expect(await statusOfMe(token)).to.equal(200);
      expect((await refresh(refreshToken)).status).to.equal(200);
    });

    it('answers 200 to a refresh token in the cookie, without a body', async () => {
      const reply = await anonymous.post('/api/auth/refresh', undefined, refreshCookie(ada.refreshToken));
      expect(reply.status).to.equal(200);
    });

    it('answers 200 to a refresh token in the cookie with an empty object as body', async () => {
      expect((await anonymous.post('/api/auth/refresh', {}, refreshCookie(ada.refreshToken))).status).to.equal(200);
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

    it('answers 400 when the refresh token is missing', async () => {
      const violations = ['refreshToken: member.required'];
      expectProblem(await anonymous.post('/api/auth/refresh', {}), 400, 'validation-failed', violations);
      expectProblem(await anonymous.post('/api/auth/refresh'), 400, 'validation-failed', violations);
    });

    for (const [where, present] of [
      ['in the body', (refreshToken: string) => anonymous.post('/api/auth/refresh', { refreshToken })],
      ['in the cookie', (token: string) => anonymous.post('/api/auth/refresh', undefined, refreshCookie(token))],
    ] as const) {
      it(`answers 401 to an access token or garbage ${where}, and 400 to more than 4096 characters`, async () => {
        for (const token of [ada.token, 'x', 'x'.repeat(4096)]) {
          expectProblem(await present(token), 401, 'invalid-refresh-token');
        }
        expectProblem(await present('x'.repeat(4097)), 400, 'validation-failed', ['refreshToken: text.tooLong']);
      });
    }

    it('answers 400 to a refresh token of another type or length, and to malformed JSON', async () => {
      for (const [refreshToken, code] of [
        [7, 'member.type'],
        [null, 'member.type'],
        [[ada.refreshToken], 'member.type'],
        ['', 'text.tooShort'],
        ['x'.repeat(4097), 'text.tooLong'],
      ] as const) {
        const reply = await anonymous.post('/api/auth/refresh', { refreshToken });
        expectProblem(reply, 400, 'validation-failed', [`refreshToken: ${code}`]);
      }
      const headers = { 'content-type': 'application/json' };
      const malformed = await anonymous.send('POST', '/api/auth/refresh', { headers, body: '{' });
      expectProblem(malformed, 400, 'malformed-body');
    });

    it('answers 401 to an unknown token', async () => {
      const reply = await refresh(randomBytes(32).toString('base64url'));
      expectProblem(reply, 401, 'invalid-refresh-token');
      expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
    });

    it('answers 401 to reuse, and ends all sessions of the user', async () => {
      const other = await logIn(service, ada);
      const next = (await refresh(ada.refreshToken)).json() as Tokens;
      const reused = await refresh(ada.refreshToken);
      expectProblem(reused, 401, 'refresh-token-reused');
      expect(reused.cookies).to.deep.equal(clearedCookies);
      for (const { token, refreshToken } of [ada, next, other]) {
        expect(await statusOfMe(token)).to.equal(401);
        expect((await refresh(refreshToken)).status).to.equal(401);
      }
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
      it(`answers 200 to ${name}, clears the cookies and ends the session`, async () => {
        await expectEnded(await way(ada), ada);
      });

      it(`answers 200 to ${name} again after the session has ended`, async () => {
        await way(ada);
        await expectEnded(await way(ada), ada);
      });
    }

    it('answers 200 to an expired access token and ends its session', async () => {
      await expectEnded(await logout(bearer(anHourOld(ada.token, service))), ada);
    });

    it('answers 401 without any credential', async () => {
      for (const reply of [await logout({}), await logout({}, {})]) {
        expectProblem(reply, 401, 'unauthenticated');
        expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
      }
    });

    it('answers 401 to garbage', async () => {
      const garbage = randomBytes(32).toString('base64url');
      for (const reply of [
        await logout(bearer(garbage)),
        await logout(accessCookie(garbage)),
        await logout(refreshCookie(garbage)),
        await logout({}, { refreshToken: garbage }),
      ]) {
        expectProblem(reply, 401, 'unauthenticated');
      }
    });

    it('answers 400 to a refresh token of another type', async () => {
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

    it('are accepted after the scheme in any case, and after exactly one space', async () => {
      const statusWith = async (authorization: string) =>
        (await anonymous.get('/api/users/me', { authorization })).status;
      expect(await statusWith(`bearer ${ada.token}`)).to.equal(200);
      expect(await statusWith(`BEARER ${ada.token}`)).to.equal(200);
      for (const header of [
        ada.token,
        `Basic ${ada.token}`,
        `Bearer  ${ada.token}`,
        `Bearer ${ada.token} x`,
        'Bearer',
      ]) {
        expect(await statusWith(header), header).to.equal(401);
      }
    });

    it('say where a token belongs that is in the wrong place, valid or not', async () => {
      const hint = 'Send an access token in Authorization, after the word Bearer, or an API token in X-API-TOKEN.';
      const detailWith = async (authorization: string) =>
        ((await anonymous.get('/api/users/me', { authorization })).json() as { detail?: string }).detail;
      for (const misplaced of [ada.token, 'eyJ.a.b', 'zw_example', 'Bearer zw_example']) {
        expect(await detailWith(misplaced)).to.equal(`This request requires valid credentials. ${hint}`);
      }
      expect(await detailWith('Bearer garbage')).to.equal('This request requires valid credentials.');
    });

    it('stop working after 15 minutes', async () => {
      expect(await statusOfMe(anHourOld(ada.token, service))).to.equal(401);
    });

    it('answer 401, never 500, when tampered with', async () => {
      const [header = '', payload = '', signature = ''] = ada.token.split('.');
      const claims = decoded(payload) as Readonly<Record<string, unknown>>;
      const typed = { typ: 'at+jwt', alg: 'HS256', kid: 'k1' };
      for (const token of [
        `${header}.${payload}.`,
        `${header}.${payload}`,
        `${header}.${encoded({ ...claims, sub: randomBytes(16).toString('hex') })}.${signature}`,
        `${encoded({ ...typed, alg: 'none' })}.${payload}.`,
        signed(typed, claims, 'guess'),
        signed({ ...typed, kid: 'unknown' }, claims, 'guess'),
        signed({ ...typed, kid: '__proto__' }, claims, 'guess'),
        '..',
        'a.b.c',
        'é',
        'x'.repeat(4000),
        ada.refreshToken,
      ]) {
        expect(await statusOfMe(token), token).to.equal(401);
      }
    });
  });

  describe('Cross-site request forgery', () => {
    const foreign: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
      ['of another origin', { origin: 'https://evil.example.com' }],
      ['of an opaque origin', { origin: 'null' }],
      ['of a similar-looking origin', { origin: 'https://app.example.com.evil.example.com' }],
      ['of a listed origin over another scheme', { origin: 'http://app.example.com' }],
      ['of another site, without an origin', { 'sec-fetch-site': 'cross-site' }],
      ['of another subdomain, without an origin', { 'sec-fetch-site': 'same-site' }],
    ];
    const trusted = (): readonly Readonly<Record<string, string>>[] => [
      {},
      { origin: service.url },
      { origin: 'https://app.example.com' },
      { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ];

    for (const [what, headers] of foreign) {
      it(`answers 403 to a page ${what} that refreshes, logs out or writes by cookie`, async () => {
        const zone = await aZone(ada);
        const cookies = { cookie: `${accessCookie(ada.token).cookie}; ${refreshCookie(ada.refreshToken).cookie}` };
        const call = { ...headers, ...cookies };
        for (const reply of [
          await anonymous.post('/api/auth/refresh', undefined, call),
          await anonymous.post('/api/auth/logout', undefined, call),
          await anonymous.post('/api/zones', { name: 'x' }, call),
          await anonymous.delete(`/api/zones/${zone.id}`, call),
        ]) {
          expectProblem(reply, 403, 'foreign-origin');
          expect(reply.cookies).to.deep.equal([]);
        }
        expect(await statusOfMe(ada.token)).to.equal(200);
        expect((await refresh(ada.refreshToken)).status).to.equal(200);
      });
    }

    it('answers 200 to pages of its own origin, of listed origins, and to clients that are not browsers', async () => {
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

    it("never derives the service's origin from Host or X-Forwarded-Host", async () => {
      const headers = {
        ...refreshCookie(ada.refreshToken),
        origin: 'https://evil.example.com',
        'x-forwarded-host': 'evil.example.com',
        'x-forwarded-proto': 'https',
      };
      expectProblem(await anonymous.post('/api/auth/refresh', undefined, headers), 403, 'foreign-origin');
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
