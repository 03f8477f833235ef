import { expect } from 'chai';
import { all } from '../../../../packages/engine/test/zones.ts';
import { ask, openEdge, raw, statusesIn, type TestEdge } from '../support/edge.ts';
import { httpOrigin, type TestOrigin } from '../support/origin.ts';
import { type EdgeDraft, originOn, servedZone } from '../support/zones.ts';

const rule = (condition: string, more: object) => ({ conditions: all(condition), ...more });

/** A zone in which paths lead to dispositions. */
const draft: EdgeDraft = {
  name: 'Zoë "A" \\ shop',
  access: [rule('uri equals /block', { action: 'block' }), rule('uri equals /challenge', { action: 'challenge' })],
  rewrites: [
    { operator: 'equals', sourcePattern: '/old', target: '/new?a=b', type: 'redirect', statusCode: 308 },
    { operator: 'equals', sourcePattern: '/away', target: 'https://b.example/%c3%bc', type: 'redirect' },
  ],
  rules: [
    rule('uri equals /auth', { settingsOverrides: { basicAuth: { enabled: true } } }),
    rule('uri equals /maintenance', { settingsOverrides: { customPagesMaintenanceActive: true } }),
    rule('uri equals /nowhere', { settingsOverrides: { defaultBackend: { type: 'origin_server', id: 'gone' } } }),
  ],
};

const pages = {
  customPagesSecurityEnabled: true,
  customPagesChallengeEnabled: true,
  customPagesErrorEnabled: true,
  customPagesSecurityHtml: '<p>security ü</p>',
  customPagesChallengeHtml: '<p>challenge</p>',
  customPagesErrorHtml: '<p>error</p>',
  customPagesMaintenanceHtml: '<p>maintenance</p>',
};

describe('Dispositions of requests', () => {
  let origin: TestOrigin;
  let edge: TestEdge;

  before(async () => {
    origin = await httpOrigin();
    const backends = [originOn(origin.port)];
    const dead = originOn(1, { id: 'origin-1' });
    edge = await openEdge([
      servedZone({ ...draft, backends }),
      servedZone({ ...draft, id: 'zone-2', hostnames: ['pages.example'], settings: pages, backends: [dead] }),
    ]);
  });
  after(async () => {
    await edge.close(0);
    await origin.close();
  });

  const expected = {
    '/': 200,
    '/block': 403,
    '/challenge': 403,
    '/old': 308,
    '/away': 302,
    '/auth': 401,
    '/maintenance': 503,
    '/nowhere': 502,
  } as const;

  for (const [path, status] of Object.entries(expected)) {
    it(`answer ${path} with ${status}`, async () => {
      const response = await ask(edge, path);
      expect(response.status).to.equal(status);
      if (status === 200) return;
      expect(response.headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(response.text).to.match(/^<!doctype html>/);
      expect(response.text).not.to.match(/127\.0\.0\.1|origin|zone|backend|rule|error:/i);
      expect((await ask(edge, path, { method: 'HEAD' })).text).to.equal('');
    });
  }

  it('say where to go, how to sign in, and when to come back', async () => {
    expect((await ask(edge, '/old?c=d')).headers['location']).to.equal('/new?a=b&c=d');
    expect((await ask(edge, '/away')).headers['location']).to.equal('https://b.example/%C3%BC');
    const { headers } = await ask(edge, '/auth');
    const challenge = Buffer.from(String(headers['www-authenticate']), 'latin1').toString('utf8');
    expect(challenge).to.equal('Basic realm="Zoë \\"A\\" \\\\ shop"');
    expect((await ask(edge, '/maintenance')).headers['retry-after']).to.equal('300');
  });

  it('have the pages of the zone where it has some', async () => {
    const texts = async (...paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await ask(edge, path, { headers: { Host: 'pages.example' } })).text));
    expect(await texts('/block', '/challenge', '/maintenance', '/nowhere', '/')).to.deep.equal([
      '<p>security ü</p>',
      '<p>challenge</p>',
      '<p>maintenance</p>',
      '<p>error</p>',
      '<p>error</p>',
    ]);
  });

  it('end a connection that has more to send, after the answer', async () => {
    const head = 'POST /block HTTP/1.1\r\nHost: a.example\r\nContent-Length: 100\r\n\r\n';
    const text = await raw(edge, `${head}GET /smuggled HTTP/1.1\r\nHost: a.example\r\n\r\n`);
    expect(statusesIn(text)).to.deep.equal([403]);
    expect(text)
      .to.match(/Connection: close/)
      .and.to.match(/<\/p>\n$/);
    expect(origin.received.map(({ target }) => target)).to.not.include('/smuggled');
  });

  it('do not ask for a body that nobody takes', async () => {
    const head = 'POST /block HTTP/1.1\r\nHost: a.example\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n';
    expect(statusesIn(await raw(edge, head))).to.deep.equal([403]);
  });

  it('do not depend on expectations, which HTTP/1.0 does not have', async () => {
    const post = (version: string, expectation: string) =>
      `POST / HTTP/${version}\r\nHost: a.example\r\nConnection: close\r\nContent-Length: 1\r\nExpect: ${expectation}\r\n\r\na`;
    expect(statusesIn(await raw(edge, post('1.1', '100-Continue')))).to.deep.equal([100, 200]);
    expect(statusesIn(await raw(edge, post('1.0', '100-continue')))).to.deep.equal([200]);
    expect(statusesIn(await raw(edge, post('1.1', 'something')))).to.deep.equal([200]);
  });
});

describe('Hosts and limits of requests', () => {
  let origin: TestOrigin;
  let edge: TestEdge;

  before(async () => {
    origin = await httpOrigin();
    const other = servedZone({ id: 'zone-2', hostnames: ['b.example'], backends: [originOn(origin.port)] });
    edge = await openEdge([servedZone({ backends: [originOn(origin.port)] }), other]);
  });
  after(async () => {
    await edge.close(0);
    await origin.close();
  });

  const get = (target: string, host: string, more = '') =>
    raw(edge, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`);
  const statusOf = async (...given: Parameters<typeof get>) => statusesIn(await get(...given));

  it('ignore case, a final dot and a port', async () => {
    for (const host of ['A.Example', 'a.example.', 'a.example:8080', 'a.example.:8080']) {
      expect(await statusOf('/', host), host).to.deep.equal([200]);
    }
    expect(new Set(origin.received.splice(0).map(({ headers }) => headers.host))).to.deep.equal(new Set(['a.example']));
  });

  it('tell host names of no zone from what is no host name', async () => {
    for (const host of ['c.example', 'x.a.example']) expect(await statusOf('/', host), host).to.deep.equal([421]);
    for (const host of ['', 'a b', 'user@a.example', 'a..example', 'a.example:x', '[::1', '%61.example']) {
      expect(await statusOf('/', host), host).to.deep.equal([400]);
    }
  });

  it('give a target in absolute form to the zone that it names', async () => {
    expect(await statusOf('http://b.example/x', 'a.example')).to.deep.equal([200]);
    expect(await statusOf('HTTP://B.example./y?z', 'a.example')).to.deep.equal([200]);
    expect(origin.received.splice(0).map(({ headers, target }) => [headers.host, target])).to.deep.equal([
      ['b.example', '/x'],
      ['b.example', '/y?z'],
    ]);
    expect(edge.entries.slice(-2).map(({ zone }) => zone)).to.deep.equal(['zone-2', 'zone-2']);
    expect(await statusOf('https://b.example/x', 'a.example')).to.deep.equal([400]);
    expect(await statusOf('http://c.example/x', 'a.example')).to.deep.equal([421]);
    expect(await statusOf('http://u@b.example/x', 'a.example')).to.deep.equal([400]);
    expect(await statusOf('ftp://b.example/x', 'a.example')).to.deep.equal([400]);
  });

  it('refuse long targets and headers', async () => {
    expect(await statusOf(`/${'a'.repeat(8191)}`, 'a.example')).to.deep.equal([200]);
    for (const length of [8192, 20_000, 100_000, 500_000]) {
      expect(await statusOf(`/${'a'.repeat(length)}`, 'a.example'), `${length}`).to.deep.equal([414]);
    }
    expect(await statusOf('/', 'a.example', 'X-A: b\r\n'.repeat(99))).to.deep.equal([200]);
    expect(await statusOf('/', 'a.example', 'X-A: b\r\n'.repeat(101))).to.deep.equal([431]);
    for (const length of [33_000, 100_000, 500_000]) {
      expect(await statusOf('/', 'a.example', `X-A: ${'b'.repeat(length)}\r\n`), `${length}`).to.deep.equal([431]);
    }
    expect(await statusOf('/', 'a.example', `X: ${'b'.repeat(80)}\r\n`.repeat(3000))).to.deep.equal([431]);
    expect(await statusOf(`/${'a'.repeat(8192)}`, 'a.example', `X: ${'b'.repeat(60_000)}\r\n`)).to.deep.equal([414]);
  });

  it('send OPTIONS * to the origin, and refuse CONNECT and * with other methods', async () => {
    origin.received.splice(0);
    const options = 'OPTIONS * HTTP/1.1\r\nHost: a.example\r\nX-A: b\r\nConnection: close\r\n\r\n';
    expect(statusesIn(await raw(edge, options))).to.deep.equal([200]);
    const [received] = origin.received;
    expect([received?.method, received?.target, received?.headers.host]).to.deep.equal(['OPTIONS', '*', 'a.example']);
    expect(received?.headers['x-a']).to.equal('b');
    const head = 'OPTIONS * HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n';
    await raw(edge, `${head}Content-Length: 3\r\n\r\nabc`);
    await raw(edge, `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`);
    expect(origin.received.slice(1).map(({ body }) => body)).to.deep.equal(['abc', 'abc']);
    for (const line of ['CONNECT a.example:443', 'GET *']) {
      expect(statusesIn(await raw(edge, `${line} HTTP/1.1\r\nHost: a.example\r\n\r\n`)), line).to.deep.equal([400]);
    }
  });

  it('pass other methods', async () => {
    origin.received.splice(0);
    for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'PURGE', 'TRACE']) {
      expect((await ask(edge, '/', { method })).status, method).to.equal(200);
    }
    expect(origin.received.map(({ method }) => method)).to.deep.equal([
      'PUT',
      'PATCH',
      'DELETE',
      'PROPFIND',
      'PURGE',
      'TRACE',
    ]);
  });

  it('serve HTTP/1.0 with a host', async () => {
    expect(statusesIn(await raw(edge, 'GET / HTTP/1.0\r\nHost: a.example\r\n\r\n'))).to.deep.equal([200]);
    expect(statusesIn(await raw(edge, 'GET / HTTP/1.0\r\n\r\n'))).to.deep.equal([400]);
  });

  it('answer requests in a row on one connection, each by its host', async () => {
    const one = (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const text = await raw(edge, `${one('a.example')}${one('c.example')}${one('b.example')}junk\r\n\r\n`);
    expect(statusesIn(text).slice(0, 3)).to.deep.equal([200, 421, 200]);
  });

  it('refuse a request whose evaluation would take too long', async () => {
    const zone = servedZone({
      hostnames: ['slow.example'],
      rules: Array.from({ length: 100 }, (_, index) => ({
        conditions: all(`userAgent matches (?:[ab]*a[ab]{${10 + index}}){2}[cd]`),
      })),
      backends: [originOn(origin.port)],
    });
    edge.replace(zone);
    const response = await ask(edge, '/', { headers: { Host: 'slow.example', 'User-Agent': 'aab'.repeat(10_000) } });
    expect(response.status).to.equal(503);
    expect(response.headers['retry-after']).to.equal('1');
    expect((await ask(edge, '/', { headers: { Host: 'slow.example' } })).status).to.equal(200);
  });
});
