import { gzipSync } from 'node:zlib';
import { object } from '@zonewright/api-description';
import { version } from '@zonewright/configuration';
import { expect } from 'chai';
import { ResultAsync } from 'neverthrow';
import { z } from 'zod';
import { publicRoute } from '../src/http/route.ts';
import { routeTable } from '../src/routes/index.ts';
import {
  aRule,
  aVerifiedUser,
  aZone,
  logIn,
  rulesOf,
  someConditions,
  type User,
  type ZoneBody,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem, type Reply } from './support/client.ts';
import { openCuttableLink } from './support/cuttable-link.ts';
import { freshDatabase } from './support/database.ts';
import { withDocumentation } from './support/documentation-link.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { type RawReply, rawRequest } from './support/raw-http.ts';
import { serveRoutes } from './support/served-routes.ts';
import { openService } from './support/service.ts';

const routes = routeTable();
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const json = { 'content-type': 'application/json' };

describe('The HTTP edge', () => {
  let service: MemoryService;
  let anonymous: Client;
  let ada: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
    ada = await aVerifiedUser(service);
    zone = await aZone(ada);
  });
  after(() => service.close());

  const raw = (requestLine: string, headers: readonly string[] = [], body?: string) =>
    rawRequest(service.url, requestLine, headers, body);
  const asAda = () => `Authorization: Bearer ${ada.token}`;
  const expectRawProblem = ({ status, headers, body }: RawReply, expected: number, slug: string) => {
    expect({ status, type: headers['content-type'] }, body).to.deep.equal({
      status: expected,
      type: 'application/problem+json; charset=utf-8',
    });
    expect(JSON.parse(body)).to.include({ status: expected, type: `/errors/${slug}` });
  };

  describe('Paths and methods', () => {
    it('answers 404 to unknown paths, with and without credentials', async () => {
      for (const path of [
        '/api/nothing',
        '/nothing',
        '/api/zones/a/b/c',
        '/api/auth',
        '/api/auth/',
        '/nothing/',
        '/api/zones//',
        `/api/zones/?q=${'x'.repeat(4096)}`,
      ]) {
        for (const client of [anonymous, ada]) expectProblem(await client.get(path), 404, 'not-found');
      }
    });

    it('accepts only one spelling of every path', async () => {
      for (const path of ['/API/zones', '/api/Zones', '/api/users/ME', '/api%2Fzones', '/%61pi/zones']) {
        expectProblem(await ada.get(path), 404, 'not-found');
      }
    });

    for (const [method, path, location] of [
      ['GET', '/api/zones/?tag=prod&q=%20', '/api/zones?tag=prod&q=%20'],
      ['POST', '/api/auth/login/', '/api/auth/login'],
      ['HEAD', '/api/zones/%e4/', '/api/zones/%e4'],
      ['GET', '/api/docs/', '/api/docs'],
    ] as const) {
      it(`redirects ${method} ${path} to the path without the slash, with the same method`, async () => {
        const { status, headers } = await anonymous.send(method, path);
        expect({ status, location: headers.get('location') }).to.deep.equal({ status: 308, location });
      });
    }

    it('redirects an id in upper case to the one spelling, before authentication', async () => {
      const id = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
      const rule = `/api/zones/${id}/configuration-rules/${id}`;
      for (const [method, path, location] of [
        ['GET', `/api/zones/${id.toUpperCase()}?q=A%20b`, `/api/zones/${id}?q=A%20b`],
        ['PATCH', `/api/zones/${id}/configuration-rules/${id.toUpperCase()}`, rule],
      ] as const) {
        const { status, headers } = await anonymous.send(method, path);
        expect({ status, location: headers.get('location') }).to.deep.equal({ status: 308, location });
      }
      expectProblem(await ada.get(`/api/zones/${id.toUpperCase()}?q=${'x'.repeat(4096)}`), 404, 'not-found');
    });

    const methodsOf = new Map<string, Set<string>>();
    for (const { path, method } of routes) {
      const methods = methodsOf.get(path) ?? new Set(['OPTIONS']);
      // A flow begins and ends by GET alone.
      const isFlow = path.startsWith('/api/auth/providers/:id/');
      for (const each of method === 'get' && !isFlow ? ['GET', 'HEAD'] : [method.toUpperCase()]) methods.add(each);
      methodsOf.set(path, methods);
    }
    /** A path without parameters may look like one with them, and then has its methods, too. */
    const isMatch = (pattern: string, address: string) =>
      new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(address);
    for (const path of methodsOf.keys()) {
      const address = path.replaceAll(/:\w+/g, '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e');
      const methods = new Set(
        [...methodsOf].flatMap(([pattern, some]) => (isMatch(pattern, address) ? [...some] : [])),
      );
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter((method) => !methods.has(method));

      it(`answers 405 with Allow to ${others.join(', ')} ${path}`, async () => {
        for (const method of others) {
          const reply = await anonymous.send(method, address);
          expectProblem(reply, 405, 'method-not-allowed');
          expect(reply.headers.get('allow')?.split(', ')).to.have.members([...methods]);
        }
      });

      it(`answers 204 with Allow to OPTIONS ${path}, without credentials`, async () => {
        const reply = await anonymous.send('OPTIONS', address);
        expect({ status: reply.status, text: reply.text }).to.deep.equal({ status: 204, text: '' });
        expect(reply.headers.get('allow')?.split(', ')).to.have.members([...methods]);
        expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).to.deep.equal([]);
      });
    }

    it('answers HEAD 404 and HEAD 405 without a body', async () => {
      for (const [path, status] of [
        ['/api/nothing', 404],
        ['/api/auth/login', 405],
      ] as const) {
        const reply = await anonymous.head(path);
        expect({ status: reply.status, text: reply.text }).to.deep.equal({ status, text: '' });
        expect(reply.headers.get('content-type')).to.equal('application/problem+json; charset=utf-8');
      }
    });

    it('answers 405 to TRACE, and closes the connection for CONNECT', async () => {
      expectRawProblem(await raw('TRACE /api/zones', [asAda()]), 405, 'method-not-allowed');
      expect((await raw('CONNECT example.com:443')).body).to.equal('');
    });

    it('takes the method only from the request line', async () => {
      for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
        expect((await ada.get(`/api/zones/${zone.id}`, { [header]: 'DELETE' })).status).to.equal(200);
        const reply = await ada.send('POST', `/api/zones/${zone.id}`, { headers: { [header]: 'DELETE' } });
        expectProblem(reply, 405, 'method-not-allowed');
      }
      expect((await ada.get(`/api/zones/${zone.id}?_method=DELETE`)).status).to.equal(200);
      expect((await ada.get(`/api/zones/${zone.id}`)).status).to.equal(200);
    });

    for (const target of [
      '/api/zones/%',
      '/api/zones/%zz',
      '/api/zones/%E0%A4%A',
      '/api/zones/%00',
      '/api/zones/%0d%0aX-Injected:1',
      '/api/zones/%2F',
      '/api/zones/%2e%2e%2fusers%2fme',
      '/api/zones/..%2F..%2Fapi%2Fusers%2Fme',
      '/api/zones/../users/me',
      '/api/zones/../../etc/passwd',
      '/api/./users/me',
      '/api//users/me',
      '//api/users/me',
      '//api/users/me/',
      '///',
      '/api/zones;x=1',
      '/api/zones/%F0%9F%98%80',
      '/api/zones/%u0041',
      '/api/zones/[1]',
      '/api/zones/{id}',
      '/api/zones/:id',
      '/api/zones/(.*)',
      '/api/zones/__proto__',
      '/api/zones/constructor/configuration-rules',
      `/api/zones/${'a'.repeat(8000)}`,
      '*',
    ]) {
      it(`answers 404 to GET ${target.slice(0, 60)}`, async () => {
        expectRawProblem(await raw(`GET ${target}`, [asAda()]), 404, 'not-found');
      });
    }

    for (const target of ['/api/zones/é', '\\api\\zones', 'api/zones', '/api/zones\u0001', '']) {
      it(`answers 400 to GET ${JSON.stringify(target)}`, async () => {
        expect((await raw(`GET ${target}`, [asAda()])).status).to.equal(400);
      });
    }

    it('decodes badly encoded queries leniently', async () => {
      for (const query of ['%', 'q=%', 'q=%E0%A4%A', '&&&', '==', 'a[=1', '%5B%5D=1', '[]=1', '?', '#', 'tag[[]]=x']) {
        expect((await raw(`GET /api/zones?${query}`, [asAda()])).status, query).to.equal(200);
      }
    });

    it('answers 400 to more than 100 parameters, even on public routes', async () => {
      const many = 'a&'.repeat(7900);
      expectRawProblem(await raw(`POST /api/auth/login?${many}`), 400, 'invalid-query');
      expectRawProblem(await raw(`GET /api/zones?${many}`, [asAda()]), 400, 'invalid-query');
      expectRawProblem(await raw(`GET /api/zones?${many}`), 401, 'unauthenticated');
    });

    it('ignores the host of an absolute-form target', async () => {
      for (const host of ['evil.example.com', 'a:99999', '[::', 'user@b:c', '']) {
        const reply = await raw(`GET http://${host}/api/zones?itemsPerPage=0`, [asAda()]);
        expect(reply.status, host).to.equal(200);
        const link = '</api/zones?itemsPerPage=0&page=1>; rel="first", </api/zones?itemsPerPage=0&page=1>; rel="last"';
        expect(reply.headers['link']).to.equal(withDocumentation(service, link));
      }
    });

    it('derives nothing from Host and X-Forwarded-Host', async () => {
      const headers = ['Host: evil.example.com', 'X-Forwarded-Host: evil.example.com', 'X-Forwarded-Proto: https'];
      for (const path of ['/api/zones', '/api/users/me', rulesOf(zone)]) {
        const reply = await raw(`GET ${path}`, [asAda(), ...headers]);
        expect(reply.status).to.equal(200);
        expect(JSON.stringify(reply)).not.to.include('evil');
      }
    });
  });

  describe('Bodies', () => {
    const bodyOf = (bytes: number) => {
      const frame = JSON.stringify({ email: 'a@example.com', password: '' });
      return JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(bytes - frame.length) });
    };
    const padded = (bytes: number) =>
      JSON.stringify({ padding: 'x'.repeat(bytes - JSON.stringify({ padding: '' }).length) });
    const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

    it('answers 413 above 16 KiB on auth endpoints, and not below', async () => {
      for (const path of ['login', 'refresh', 'register', 'verify-email', 'logout']) {
        const send = (body: string) => anonymous.send('POST', `/api/auth/${path}`, { headers: json, body });
        expectProblem(await send(bodyOf(16 * 1024 + 1)), 413, 'payload-too-large');
        expect((await send(bodyOf(16 * 1024))).status).to.be.oneOf([400, 401]);
      }
    });

    it('answers 413 above 256 KiB on resources, and not below', async () => {
      const send = (body: string) => ada.send('POST', '/api/organizations', { headers: json, body });
      expectProblem(await send(padded(256 * 1024 + 1)), 413, 'payload-too-large');
      expect((await send(padded(256 * 1024))).status).to.equal(422);
    });

    it('answers 413 to a body of unknown length as soon as it is too long', async () => {
      const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
      const reply = await raw('POST /api/auth/login', headers, chunked(bodyOf(17_000)));
      expectRawProblem(reply, 413, 'payload-too-large');
    });

    it('reads a chunked body within the limit', async () => {
      const headers = [asAda(), 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
      const reply = await raw('POST /api/zones', headers, chunked('{"name":"in chunks"}'));
      expect(reply.status).to.equal(201);
    });

    it('answers 415 to media types that only resemble JSON', async () => {
      for (const type of ['application/jsonx', 'application/vnd.api+json', 'text/json', 'nonsense']) {
        const call = { headers: { 'content-type': type }, body: JSON.stringify({ name: 'x' }) };
        expectProblem(await ada.send('POST', '/api/zones', call), 415, 'unsupported-media-type');
        expectProblem(await anonymous.send('POST', '/api/auth/login', call), 415, 'unsupported-media-type');
      }
    });

    it('answers 415 to a body without a media type, and to linked data on auth endpoints', async () => {
      expectProblem(await ada.send('POST', '/api/zones', { body: '{"name":"x"}' }), 415, 'unsupported-media-type');
      const linked = { headers: { 'content-type': 'application/ld+json' }, body: '{}' };
      expectProblem(await anonymous.send('POST', '/api/auth/login', linked), 415, 'unsupported-media-type');
    });

    it('answers 415 to a charset other than UTF-8 in every media type, and accepts any spelling of UTF-8', async () => {
      const rule = await aRule(ada, zone);
      const post = (type: string) => ada.send('POST', '/api/zones', { headers: { 'content-type': type }, body: '{}' });
      const patch = (type: string) =>
        ada.send('PATCH', `${rulesOf(zone)}/${rule.id}`, { headers: { 'content-type': type }, body: '{}' });
      for (const [type, send, status] of [
        ['application/json', post, 422],
        ['application/ld+json', post, 422],
        ['application/merge-patch+json', patch, 200],
      ] as const) {
        for (const charset of ['iso-8859-1', '"ISO-8859-1"', 'utf-16', 'us-ascii', 'utf-8x', '"utf-7"']) {
          const reply = await send(`${type}; charset=${charset}`);
          expectProblem(reply, 415, 'unsupported-media-type');
          expect(reply.json()).to.include({
            detail: 'The format of the request body is not supported. Supported: UTF-8.',
          });
        }
        for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8', '""']) {
          expect((await send(`${type}; charset=${charset}`)).status, charset).to.equal(status);
        }
      }
      const login = { headers: { 'content-type': 'application/json;charset=latin1' }, body: '{}' };
      expectProblem(await anonymous.send('POST', '/api/auth/login', login), 415, 'unsupported-media-type');
    });

    it('answers 415 to a compressed body, whatever its size', async () => {
      for (const encoding of ['gzip', 'deflate', 'br', 'x-unknown', 'identity, gzip']) {
        const body = gzipSync(JSON.stringify({ name: 'inflated' }));
        const call = { headers: { ...json, 'content-encoding': encoding }, body };
        expectProblem(await ada.send('POST', '/api/zones', call), 415, 'unsupported-media-type');
      }
      const plain = { headers: { ...json, 'content-encoding': 'identity' }, body: '{"name":"identical"}' };
      expect((await ada.send('POST', '/api/zones', plain)).status).to.equal(201);
    });

    const nested = (depth: number) => `{"name":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    const sizes: readonly (readonly [what: string, tooMuch: string, just: string])[] = [
      ['nesting deeper than 32 levels', nested(33), nested(32)],
      [
        'lists of more than 1000 entries',
        JSON.stringify({ name: Array(1001).fill(0) }),
        JSON.stringify({ name: Array(1000).fill(0) }),
      ],
      [
        'objects of more than 1000 members',
        JSON.stringify({ name: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`m${index}`, 0])) }),
        JSON.stringify({ name: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, 0])) }),
      ],
    ];
    for (const [what, tooMuch, just] of sizes) {
      it(`answers 400 to ${what}, but not below`, async () => {
        const send = (body: string) => ada.send('POST', '/api/zones', { headers: json, body });
        expectProblem(await send(tooMuch), 400, 'malformed-body');
        expect((await send(just)).status).to.equal(422);
      });
    }

    it('answers 400 to the deepest nesting a body can have', async () => {
      const call = { headers: json, body: '['.repeat(250_000) };
      expectProblem(await ada.send('POST', '/api/zones', call), 400, 'malformed-body');
      const closed = { headers: json, body: `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}` };
      expectProblem(await ada.send('POST', '/api/zones', closed), 400, 'malformed-body');
    });

    for (const name of ['__proto__', 'constructor', 'prototype']) {
      it(`answers 400 to a member called ${name}, at any depth`, async () => {
        const rule = await aRule(ada, zone);
        const patchType = { 'content-type': 'application/merge-patch+json' };
        for (const body of [
          `{"${name}":{"polluted":true}}`,
          `{"name":"x","zone_settings":{"${name}":{"polluted":true}}}`,
          `{"name":"x","list":[[{"${name}":1}]]}`,
          `{"name":"x","constructor":{"prototype":{"polluted":true}}}`,
        ]) {
          expectProblem(await ada.send('POST', '/api/zones', { headers: json, body }), 400, 'malformed-body');
          const patch = await ada.send('PATCH', `${rulesOf(zone)}/${rule.id}`, { headers: patchType, body });
          expectProblem(patch, 400, 'malformed-body');
          expectProblem(
            await anonymous.send('POST', '/api/auth/login', { headers: json, body }),
            400,
            'malformed-body',
          );
        }
        expect('polluted' in {}).to.equal(false);
      });
    }

    it('answers 400 or 422, never 500, to U+0000 and lone surrogates in any text', async () => {
      const rule = await aRule(ada, zone);
      for (const bad of ['a\0b', 'a\ud800b', 'a\udfff', '\0']) {
        const replies = [
          await anonymous.post('/api/auth/login', { email: `${bad}@example.com`, password: bad }),
          await anonymous.post('/api/auth/refresh', { refreshToken: bad }),
          await anonymous.post('/api/auth/verify-email', { token: bad }),
          await anonymous.post('/api/auth/logout', { refreshToken: bad }),
          await ada.post('/api/zones', { name: bad }),
          await ada.post('/api/zones', { name: 'x', tag: bad }),
          await ada.post('/api/zones', { name: 'x', [bad]: 1 }),
          await ada.post('/api/zones', { name: 'x', zone_settings: { cachingIgnoredUrlParams: [bad] } }),
          await ada.post('/api/zones', {
            name: 'x',
            zone_settings: { headersRequestSet: [{ name: 'X-A', value: bad }] },
          }),
          await ada.patch(`${rulesOf(zone)}/${rule.id}`, { description: bad }),
          await ada.patch(`${rulesOf(zone)}/${rule.id}`, { conditions: someConditions(bad) }),
          await ada.patch(`${rulesOf(zone)}/${rule.id}`, { zone: bad }),
          await ada.patch(`${rulesOf(zone)}/${rule.id}`, { settingsOverrides: { [bad]: true } }),
          await ada.get(`/api/zones?q=${encodeURIComponent(bad.replace(/[\ud800-\udfff]/, '\0'))}`),
        ];
        for (const { status, text } of replies) expect(status, text).to.be.oneOf([200, 400, 401, 422]);
      }
    });

    it('answers 401 to a password with U+0000 or a lone surrogate, as to any wrong one', async () => {
      for (const password of ['a\0b', 'a\ud800b', 'x'.repeat(10_000)]) {
        const reply = await anonymous.post('/api/auth/login', { email: ada.email, password });
        expectProblem(reply, 401, 'invalid-credentials');
      }
    });

    it('answers 422, never 500, to numbers out of range', async () => {
      const rule = await aRule(ada, zone);
      const patchType = { 'content-type': 'application/merge-patch+json' };
      for (const number of ['1e400', '-1e400', '1e308', '9007199254740993', '99999999999999999999', '1e-400']) {
        const body = `{"settingsOverrides":{"cachingDefaultTtl":${number}},"order":${number}}`;
        const reply = await ada.send('PATCH', `${rulesOf(zone)}/${rule.id}`, { headers: patchType, body });
        expect(reply.status, `${number} ${reply.text}`).to.be.oneOf(number === '1e-400' ? [200, 422] : [422]);
        const created = `{"name":"x","organization":${number}}`;
        expect((await ada.send('POST', '/api/zones', { headers: json, body: created })).status).to.equal(422);
      }
    });
  });

  describe('Credentials', () => {
    it('answers 401 to two Authorization headers, even if one is valid', async () => {
      for (const headers of [
        [asAda(), 'Authorization: Bearer garbage'],
        ['Authorization: Bearer garbage', asAda()],
        [asAda(), asAda()],
        ['X-API-TOKEN: a', 'X-API-TOKEN: b'],
      ]) {
        expectRawProblem(await raw('GET /api/users/me', headers), 401, 'unauthenticated');
      }
    });

    it('answers 401 to header bytes that are not text', async () => {
      for (const header of [
        'Authorization: Bearer \xff\xfe',
        'Cookie: __Host-access_token=%E0%A4%A',
        'Cookie: ===;;;',
      ]) {
        expectRawProblem(await raw('GET /api/users/me', [header]), 401, 'unauthenticated');
      }
    });
  });

  describe('X-Request-Id', () => {
    const idOf = (reply: Reply) => reply.headers.get('x-request-id');
    const lineOf = (id: string | null) => service.log.find(({ requestId }) => requestId === id);

    it('is returned unchanged if it is acceptable, and replaced otherwise', async () => {
      for (const id of ['a', 'trace-1_2.3', 'A'.repeat(64)]) {
        expect(idOf(await ada.get('/api/zones', { 'x-request-id': id }))).to.equal(id);
        expect(lineOf(id)).to.include({ method: 'GET', route: '/api/zones', status: 200 });
      }
      for (const id of ['', 'A'.repeat(65), 'a b', 'a,b', 'a/b', '<script>', 'ä']) {
        expect(idOf(await ada.get('/api/zones', { 'x-request-id': id })), id).to.match(uuid);
      }
    });

    it('is in every response, including errors', async () => {
      for (const reply of [
        await ada.get('/api/zones'),
        await anonymous.get('/api/zones'),
        await anonymous.get('/nothing'),
        await anonymous.get('/healthz'),
        await anonymous.send('OPTIONS', '/api/zones'),
        await anonymous.send('PUT', '/api/zones'),
        await ada.get('/api/zones', { accept: 'text/html' }),
      ]) {
        expect(idOf(reply)).to.match(uuid);
        expect(lineOf(idOf(reply))).to.include({ status: reply.status });
      }
    });

    it('is unique for every request', async () => {
      expect(idOf(await ada.get('/api/zones'))).not.to.equal(idOf(await ada.get('/api/zones')));
    });
  });

  describe('Health', () => {
    it('answers 200 to GET and HEAD, without credentials', async () => {
      const bodies = { '/healthz': { status: 'ok', version }, '/readyz': { status: 'ok' } };
      for (const [path, body] of Object.entries(bodies)) {
        expect((await anonymous.get(path)).json()).to.deep.equal(body);
        expect((await anonymous.head(path)).status).to.equal(200);
      }
    });

    it('answers 405 to other methods', async () => {
      for (const path of ['/healthz', '/readyz']) {
        const reply = await anonymous.post(path, {});
        expectProblem(reply, 405, 'method-not-allowed');
        expect(reply.headers.get('allow')).to.equal('HEAD, GET, OPTIONS');
      }
    });
  });
});

describe('An internal error', () => {
  it('answers 500 with a fixed text and the request id, and logs the cause once', async () => {
    const failure = new Error('the secret of table users');
    const broken = publicRoute({
      method: 'get',
      path: '/api/broken/:id',
      cost: 'constant',
      summary: 'Break.',
      answers: object('Nothing', z.object({})),
      run: () => ResultAsync.fromSafePromise<object>(Promise.reject(failure)),
      present: (body) => ({ body: { ...body } }),
    });
    const served = await serveRoutes({ routes: [broken] });
    const reply = await clientOf(served.url).get('/api/broken/7?token=hidden', { 'x-request-id': 'r1' });
    await served.close();
    expectProblem(reply, 500, 'internal-error');
    expect(reply.json()).to.deep.equal({
      type: '/errors/internal-error',
      title: 'Internal error',
      status: 500,
      detail: 'Something went wrong. The error has been logged.',
      requestId: 'r1',
    });
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    expect(reply.headers.get('x-content-type-options')).to.equal('nosniff');
    const errors = served.log.filter(({ level }) => Number(level) >= 50);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.deep.include({ requestId: 'r1', route: '/api/broken/:id' });
    expect(errors[0]?.['err']).to.include({ message: failure.message });
    expect(JSON.stringify(served.log)).not.to.include('hidden');
  });
});

describe('An error in the metrics', () => {
  it('answers 500 as a problem document, with the security header fields', async () => {
    const served = await serveRoutes({ routes: [], measure: () => Promise.reject(new Error('no figures')) });
    const reply = await clientOf(served.url).get('/nothing', { 'x-request-id': 'r1' });
    await served.close();
    expectProblem(reply, 500, 'internal-error');
    expect(reply.json()).to.include({ requestId: 'r1' });
    expect(Object.fromEntries(reply.headers)).to.include({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-request-id': 'r1',
    });
    expect(served.log.map(({ level, msg }) => [level, msg])).to.deep.equal([[50, 'request failed']]);
  });
});

describe('An unavailable database', () => {
  it('causes 503 with Retry-After, and 200 as soon as it is back', async () => {
    const { url: direct, database } = await freshDatabase();
    const link = await openCuttableLink(direct);
    const service = await openService({ databaseUrl: link.url });
    // The link leads to the service's own database, where users are created.
    const ada = await aVerifiedUser({ ...service, database });
    const anonymous = clientOf(service.url);
    await link.cut();
    for (const reply of [
      await ada.get('/api/zones'),
      await ada.post('/api/zones', { name: 'x' }),
      await anonymous.post('/api/auth/refresh', { refreshToken: ada.refreshToken }),
      await anonymous.post('/api/auth/login', { email: ada.email, password: ada.password }),
    ]) {
      expectProblem(reply, 503, 'service-unavailable');
      expect(Number(reply.headers.get('retry-after'))).to.be.at.least(1);
      expect(reply.json()).to.include({ requestId: reply.headers.get('x-request-id') });
      expect(reply.text).not.to.match(/ECONN|connect|postgres|127\.0\.0\.1/i);
    }
    expect((await anonymous.get('/healthz')).status).to.equal(200);
    expect((await anonymous.get('/readyz')).status).to.equal(503);
    await link.restore();
    expect((await anonymous.get('/readyz')).status).to.equal(200);
    expect((await ada.get('/api/zones')).status).to.equal(200);
    await logIn(service, ada);
    await service.close();
    await link.cut();
    await database.$pool.end();
  });
});
