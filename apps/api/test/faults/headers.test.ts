import { nothing } from '@zonewright/api-description';
import { expect } from 'chai';
import { errAsync, okAsync } from 'neverthrow';
import { publicRoute, type Route } from '../../src/http/route.ts';
import { aRegistration, aRule, aVerifiedUser, aZone, logIn, password, rulesOf, type User } from '../support/arrange.ts';
import { clientOf } from '../support/client.ts';
import { defaultLimits } from '../support/config.ts';
import { type RawReply, rawRequest } from '../support/raw-http.ts';
import { serveRoutes } from '../support/served-routes.ts';
import { openService, type TestService } from '../support/service.ts';
import { codeOf } from '../support/two-factor.ts';
import { enableTwoFactor } from './support/people.ts';

type Fields = Readonly<Record<string, string>>;

/** On every response, parsable request or not; those to unreadable requests have no date. */
const undated: Fields = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-request-id': '<uuid>',
  link: '<the documentation>',
  connection: 'close',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};
/** On every response of the app. */
const usual: Fields = { ...undated, date: '<date>' };
const sized = { 'content-length': '<number>' };
const problem = { ...sized, vary: 'Accept', 'content-type': 'application/problem+json; charset=utf-8' };
/** An unreadable request negotiates no format. */
const unreadable = { ...sized, 'content-type': problem['content-type'] };
const json = { ...sized, vary: 'Accept', 'content-type': 'application/json; charset=utf-8' };
const linked = { ...json, 'content-type': 'application/ld+json; charset=utf-8' };
const revalidated = { 'cache-control': 'no-cache', etag: '"<version>"', vary: 'Accept-Encoding' };
const cacheable = { 'cache-control': 'private, no-cache', vary: 'Accept, Accept-Encoding' };
const challenge = { 'www-authenticate': 'Bearer' };

/** Rate limit fields, given as `name;points;seconds`. */
const limited = (...limits: readonly string[]): Fields => {
  const parts = limits.map((limit) => limit.split(';'));
  return {
    'ratelimit-policy': parts.map(([name, points, seconds]) => `"${name}";q=${points};w=${seconds}`).join(', '),
    ratelimit: parts.map(([name]) => `"${name}";r=<number>;t=<number>`).join(', '),
  };
};
const loginLimits = limited('login-net;60;900', 'login-pair;5;900');
const apiLimit = limited('api;600;60', 'api-user;1200;60');

const [access, refresh, pending] = [
  '__Host-access_token=<token>; Path=/; Max-Age=900; HttpOnly; Secure; SameSite=Lax',
  '__Secure-refresh_token=<token>; Path=/api/auth; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict',
  'mfa_pending=<token>; Path=/api/auth/2fa; Max-Age=300; HttpOnly; Secure; SameSite=Strict',
];
const [noAccess, noRefresh, notPending] = [
  '__Host-access_token=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
  '__Secure-refresh_token=; Path=/api/auth; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
  'mfa_pending=; Path=/api/auth/2fa; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
];
const cookies = (...lines: readonly string[]): Fields => ({ 'set-cookie': lines.join(', ') });

describe('All header fields of a response', function () {
  this.timeout(60_000);
  let service: TestService;
  let ada: User;
  let zone: string;
  let rules: string;

  before(async () => {
    service = await openService(defaultLimits());
    ada = await aVerifiedUser(service);
    const { id, ...rest } = await aZone(ada);
    [zone, rules] = [`/api/zones/${id}`, rulesOf({ id, ...rest })];
    await aRule(ada, { id, ...rest });
  });
  after(() => service.close());

  const ask = (line: string, headers: readonly string[] = [], body?: unknown, url = service.url) => {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const length = text === undefined ? [] : [`Content-Length: ${Buffer.byteLength(text)}`];
    return rawRequest(url, line, [...headers, ...length], text);
  };
  const type = (name: string) => `Content-Type: application/${name}`;
  const asAda = () => `Authorization: Bearer ${ada.token}`;
  const post = (path: string, body: unknown) => ask(`POST /api/auth/${path}`, [type('json')], body);
  const expectFields = ({ status, headers, body }: RawReply, expected: number, ...fields: readonly Fields[]) => {
    expect(status, body).to.equal(expected);
    expect(withoutVariables(headers)).to.deep.equal(Object.assign({}, ...fields));
  };

  describe('without credentials', () => {
    for (const [line, expected, fields] of [
      ['GET /healthz', 200, { ...sized, 'content-type': 'application/json; charset=utf-8' }],
      ['GET /readyz', 200, { ...sized, 'content-type': 'application/json; charset=utf-8' }],
      ['HEAD /healthz', 200, { ...sized, 'content-type': 'application/json; charset=utf-8' }],
      ['GET /api/zones', 401, { ...problem, ...challenge }],
      ['HEAD /api/zones', 401, { ...problem, ...challenge }],
      ['GET /api/nothing', 404, problem],
      ['PUT /api/zones', 405, { ...problem, allow: 'HEAD, GET, POST, OPTIONS' }],
      ['OPTIONS /api/zones', 204, { allow: 'HEAD, GET, POST, OPTIONS' }],
      ['POST /api/auth/login', 400, problem],
    ] as const) {
      it(`${line}: ${expected}`, async () => expectFields(await ask(line), expected, usual, fields));
    }

    it('GET of API documentation: 200, cacheable with revalidation', async () => {
      const kept = { ...sized, ...revalidated, 'access-control-allow-origin': '*' };
      const openApi = { 'content-type': 'application/vnd.openapi+json; charset=utf-8' };
      expectFields(await ask('GET /api/docs.jsonopenapi'), 200, usual, kept, openApi);
      const chosen = { ...kept, ...openApi, vary: 'Accept, Accept-Encoding' };
      expectFields(await ask('GET /api/docs', [`Accept: ${openApi['content-type']}`]), 200, usual, chosen);
    });

    it('GET of a page: 200, with its own policy', async () => {
      const policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";
      for (const [path, contentType] of [
        ['/verify-email', 'text/html'],
        ['/reset-password', 'text/html'],
        ['/accept-invitation', 'text/html'],
        ['/pages/page.css', 'text/css'],
        ['/pages/page.js', 'text/javascript'],
      ] as const) {
        const own = {
          ...revalidated,
          'content-security-policy': policy,
          'content-type': `${contentType}; charset=utf-8`,
        };
        expectFields(await ask(`GET ${path}`), 200, usual, sized, own);
      }
    });

    it('an unreadable request: 400, 431', async () => {
      expectFields(await ask('GET /é'), 400, undated, unreadable);
      expectFields(await ask('GET /', [`X: ${'x'.repeat(17_000)}`]), 431, undated, unreadable);
    });
  });

  describe('when signing in', () => {
    it('a session: 200 with both cookies; refreshed: 200 with both; ended: 200, cleared', async () => {
      const { email } = await aVerifiedUser(service);
      const opened = await post('login', { email, password });
      expectFields(opened, 200, usual, json, loginLimits, cookies(access, refresh));
      const { refreshToken } = JSON.parse(opened.body) as { readonly refreshToken: string };
      const refreshed = await post('refresh', { refreshToken });
      const refreshLimit = limited('refresh;300;300');
      expectFields(refreshed, 200, usual, json, refreshLimit, cookies(access, refresh));
      const ended = await post('logout', JSON.parse(refreshed.body));
      expectFields(ended, 200, usual, json, cookies(noAccess, noRefresh));
    });

    it('a refresh token used twice: 401 that clears the cookies; an unknown one: 401 that does not', async () => {
      const { refreshToken } = await aVerifiedUser(service);
      await post('refresh', { refreshToken });
      const fields = [usual, problem, challenge, limited('refresh;300;300')];
      expectFields(await post('refresh', { refreshToken }), 401, ...fields, cookies(noAccess, noRefresh));
      expectFields(await post('refresh', { refreshToken: 'a'.repeat(43) }), 401, ...fields);
    });

    it('two factors: 200 with a challenge; 401 to a wrong code; 200 with a session, clearing the challenge', async () => {
      const { email, ...user } = await aVerifiedUser(service);
      const { secret } = await enableTwoFactor(user);
      const challenged = await post('login', { email, password });
      expectFields(challenged, 200, usual, json, loginLimits, cookies(pending));
      const { challengeToken } = JSON.parse(challenged.body) as { readonly challengeToken: string };
      const factorLimit = limited('mfa-user;10;900');
      const wrong = await post('2fa', { challengeToken, code: 'no code' });
      expectFields(wrong, 401, usual, problem, challenge, factorLimit);
      const code = codeOf(secret, 1);
      const right = await post('2fa', { challengeToken, code });
      expectFields(right, 200, usual, json, factorLimit, cookies(access, refresh, notPending));
      const spent = await post('2fa', { challengeToken, code });
      // An invalid challenge belongs to no user, so no limit applies.
      expectFields(spent, 401, usual, problem, challenge, cookies(notPending));
    });

    it('a wrong password: 401; an inactive account: 403; a missing member: 400; too many attempts: 429', async () => {
      const { email } = aRegistration();
      expectFields(
        await post('register', { ...aRegistration(), email }),
        201,
        usual,
        json,
        limited('register;30;3600'),
      );
      expectFields(
        await post('register', { ...aRegistration(), email }),
        409,
        usual,
        problem,
        limited('register;30;3600'),
      );
      expectFields(await post('login', { email, password }), 403, usual, problem, loginLimits);
      expectFields(await post('login', { email }), 400, usual, problem);
      const wrong = { email, password: 'Wrong-Horse-7' };
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expectFields(await post('login', wrong), 401, usual, problem, challenge, loginLimits);
      }
      const blocked = limited('login-net;60;900', 'login-pair;5;900');
      expectFields(await post('login', wrong), 429, usual, problem, blocked, { 'retry-after': '<number>' });
    });

    it('requested mails: 200; an invalid mailed token: 400', async () => {
      const { email } = aRegistration();
      const forgot = limited('forgot-net;30;3600', 'forgot-pair;5;900');
      expectFields(await post('forgot-password', { email }), 200, usual, json, forgot);
      const resend = limited('resend-net;30;3600', 'resend-pair;5;900');
      expectFields(await post('resend-verification', { email }), 200, usual, json, resend);
      const token = 'a'.repeat(43);
      expectFields(await post('verify-email', { token }), 400, usual, problem, limited('verify;30;900'));
      expectFields(await post('reset-password', { token, password }), 400, usual, problem, limited('reset;30;900'));
    });
  });

  describe('for resources', () => {
    it('an item: 200 with an entity tag, 304 when it matches, 412 when If-Match does not', async () => {
      const reply = await ask(`GET ${zone}`, [asAda()]);
      expectFields(reply, 200, usual, json, apiLimit, cacheable, { etag: '"<version>"' });
      const tag = `If-None-Match: ${reply.headers['etag']}`;
      const unchanged = { etag: '"<version>"' };
      expectFields(await ask(`GET ${zone}`, [asAda(), tag]), 304, usual, apiLimit, cacheable, unchanged);
      const asLinked = await ask(`GET ${zone}`, [asAda(), 'Accept: application/ld+json']);
      expectFields(asLinked, 200, usual, linked, apiLimit, cacheable, { etag: '"<version>;ld"' });
      const stale = await ask(`DELETE ${zone}`, [asAda(), 'If-Match: "another"']);
      expectFields(stale, 412, usual, problem, apiLimit, { etag: '"<version>"' });
      expect(stale.headers['etag']).to.equal(reply.headers['etag']);
    });

    it('the profile: 200 with an entity tag, never stored', async () => {
      const reply = await ask('GET /api/users/me', [asAda()]);
      expectFields(reply, 200, usual, linked, apiLimit, { etag: '"<version>;ld"' });
    });

    it('a list: 200 with an entity tag, links and the total, or as a collection; 304 when the tag matches', async () => {
      const reply = await ask('GET /api/zones', [asAda()]);
      const link = '</api/zones?page=1>; rel="first", </api/zones?page=1>; rel="last", <the documentation>';
      const page = { 'x-total-count': '<number>', link, etag: '"<version>"' };
      expectFields(reply, 200, usual, json, apiLimit, cacheable, page);
      const known = await ask('GET /api/zones', [asAda(), `If-None-Match: ${reply.headers['etag']}`]);
      expectFields(known, 304, usual, apiLimit, cacheable, page);
      const collection = await ask('GET /api/zones', [asAda(), 'Accept: application/ld+json']);
      expectFields(collection, 200, usual, linked, apiLimit, cacheable, { etag: '"<version>;ld"' });
    });

    it('a list of unversioned items: 200 without an entity tag', async () => {
      const sessions = await ask('GET /api/users/me/sessions', [asAda()]);
      expect(sessions.status, sessions.body).to.equal(200);
      expect(sessions.headers).not.to.have.property('etag');
    });

    it('writes: 201 with the location, 200, 204', async () => {
      const created = await ask('POST /api/zones', [asAda(), type('json')], { name: 'headers' });
      const { location = '' } = created.headers;
      const at = { location: '/api/zones/<uuid>', etag: '"<version>"' };
      expectFields(created, 201, usual, json, apiLimit, at);
      const [{ id }] = JSON.parse((await ask(`GET ${rules}`, [asAda(), 'Accept: application/json'])).body);
      const patch = [asAda(), type('merge-patch+json')];
      const patched = await ask(`PATCH ${rules}/${id}`, patch, { enabled: false });
      expectFields(patched, 200, usual, linked, apiLimit, { etag: '"<version>;ld"' });
      expectFields(await ask(`DELETE ${location}`, [asAda()]), 204, usual, apiLimit, { vary: 'Accept' });
    });

    it('errors: 400, 403, 404, 406, 413, 415, 422', async () => {
      const stranger = `Authorization: Bearer ${(await aVerifiedUser(service)).token}`;
      const write = [asAda(), type('json')];
      const refusals: readonly (readonly [number, RawReply])[] = [
        [400, await ask('GET /api/zones?page=0', [asAda()])],
        [400, await ask('POST /api/zones', write, 'no JSON')],
        [403, await ask(`GET ${zone}`, [stranger])],
        [404, await ask(`GET ${zone}0`, [asAda()])],
        [406, await ask(`GET ${zone}`, [asAda(), 'Accept: text/html'])],
        [413, await ask('POST /api/zones', write, { name: 'x'.repeat(1_600_000) })],
        [415, await ask('POST /api/zones', [asAda(), 'Content-Type: text/plain'], 'x')],
        [422, await ask('POST /api/zones', write, { name: '' })],
      ];
      for (const [status, reply] of refusals) expectFields(reply, status, usual, problem, apiLimit);
    });

    it('tokens and secrets: never stored', async () => {
      const user = await aVerifiedUser(service);
      const asUser = [`Authorization: Bearer ${user.token}`];
      const made = await ask('POST /api/api-tokens', [...asUser, type('json')], { name: 'one' });
      expect(made.status, made.body).to.equal(201);
      for (const reply of [made, await ask('GET /api/api-tokens', asUser), await ask('POST /api/2fa/setup', asUser)]) {
        expect(reply.headers['cache-control'], reply.body).to.equal('no-store');
      }
      const { token } = await logIn(service, user);
      const sessions = await ask('GET /api/users/me/sessions', [`Authorization: Bearer ${token}`]);
      expect(sessions.headers['cache-control']).to.equal('no-store');
    });
  });

  it('internal errors: 500, 503', async () => {
    const failing = (path: string, answer: Route['answer']): Route => ({
      ...publicRoute({
        method: 'get',
        path,
        cost: 'constant',
        summary: 'Fail.',
        answers: nothing,
        run: () => okAsync(undefined),
        present: () => ({}),
      }),
      answer,
    });
    const app = await serveRoutes({
      routes: [
        failing('/defect', () => {
          throw new Error('a defect');
        }),
        failing('/busy', () => errAsync({ type: 'ServiceUnavailable', retryAfterSeconds: 1 })),
      ],
    });
    try {
      expectFields(await ask('GET /defect', [], undefined, app.url), 500, usual, problem);
      expectFields(await ask('GET /busy', [], undefined, app.url), 503, usual, problem, { 'retry-after': '<number>' });
      expect((await clientOf(app.url).get('/healthz')).status).to.equal(200);
    } finally {
      await app.close();
    }
  });
});

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Replaces variable parts by a description. */
const withoutVariables = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withoutVariable(name, value)]));

function withoutVariable(name: string, value: string): string {
  switch (name) {
    case 'date':
      return '<date>';
    case 'content-length':
    case 'retry-after':
    case 'x-total-count':
      return value.replace(/^\d+$/, '<number>');
    case 'ratelimit':
      return value.replaceAll(/([rt])=\d+/g, '$1=<number>');
    case 'etag':
      return value.replace(/^"[^";]+/, '"<version>');
    case 'set-cookie':
      return value.replaceAll(/=[A-Za-z0-9_.-]{40,}/g, '=<token>');
    case 'link':
      return value.replace(/<[^<>]*\/api\/docs\.jsonld>; rel="[^"]*#apiDocumentation"$/, '<the documentation>');
    default:
      return value.replaceAll(uuid, '<uuid>');
  }
}
