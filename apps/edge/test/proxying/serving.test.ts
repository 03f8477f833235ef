import { once } from 'node:events';
import { request as begin } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { all } from '../../../../packages/engine/test/zones.ts';
import { ask, entriesOf, openEdge, raw, statusesIn, type TestEdge } from '../support/edge.ts';
import { httpOrigin, rawOrigin, streamingOrigin, type TestOrigin } from '../support/origin.ts';
import { still } from '../support/stillness.ts';
import { type EdgeDraft, originOn, servedZone } from '../support/zones.ts';

/** Runs a test with an edge in front of an origin; both end with it. */
async function behind(origin: TestOrigin, draft: EdgeDraft, work: (edge: TestEdge) => Promise<void>): Promise<void> {
  const edge = await openEdge([servedZone({ backends: [originOn(origin.port)], ...draft })]);
  try {
    await work(edge);
  } finally {
    await edge.close(0);
    await origin.close();
  }
}

const chunk = Buffer.alloc(64 * 1024, 'x');

describe('Requests to origins', () => {
  it('have the target and host of the evaluation, and headers after the operations of the zone', async () => {
    const draft: EdgeDraft = {
      rewrites: [{ operator: 'starts_with', sourcePattern: '/a', target: '/b?own=1' }],
      settings: {
        headersRequestSet: [
          { name: 'X-Set', value: 'grün' },
          { name: 'X-Both', value: 'zone' },
        ],
      },
    };
    const origin = await httpOrigin();
    const server = originOn(origin.port, { requestHostname: 'inside.example' });
    await behind(origin, { ...draft, backends: [server] }, async (edge) => {
      const sent = [
        'GET /a/x%7E?c=d HTTP/1.1',
        'Host: A.Example:80',
        'X-Both: client',
        'x-both: again',
        'X-Twice: 1',
        'X-Twice: 2',
        'X-Bytes: \xe9',
        'Connection: close, X-Private',
        'X-Private: 1',
        'Keep-Alive: timeout=5',
        'Proxy-Connection: keep-alive',
        'TE: trailers',
        'X-Forwarded-For: 192.0.2.7',
        'X-Forwarded-Proto: https',
        'X-Forwarded-Host: evil.example',
        'X-Real-IP: 192.0.2.7',
        'X_Forwarded_For: 192.0.2.7',
        'X-Forwarded_Proto: https',
        'Forwarded: for=192.0.2.7',
        'Via: 1.1 other',
      ];
      await raw(edge, `${sent.join('\r\n')}\r\n\r\n`);
      const [{ target, rawHeaders } = { target: '', rawHeaders: [] }] = origin.received;
      expect(target).to.equal('/b/x~?own=1&c=d');
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
      expect(lines.toSorted()).to.deep.equal(
        [
          'host: inside.example',
          'connection: keep-alive',
          'X-Twice: 1',
          'X-Twice: 2',
          'X-Bytes: \xe9',
          'X-Forwarded-For: 127.0.0.1',
          'X-Forwarded-Proto: http',
          'X-Forwarded-Host: A.Example:80',
          'Via: 1.1 other, 1.1 zonewright',
          'CDN-Loop: zonewright-652342aaaf270a42',
          `X-Set: ${Buffer.from('grün').toString('latin1')}`,
          'X-Both: zone',
        ].toSorted(),
      );
    });
  });

  it('carry bodies of every framing', async () => {
    const origin = await httpOrigin();
    await behind(origin, {}, async (edge) => {
      await ask(edge, '/length', { method: 'POST', body: 'with a length' });
      await ask(edge, '/chunked', {
        method: 'POST',
        body: 'in chunks',
        headers: { 'Transfer-Encoding': 'chunked' },
      });
      await ask(edge, '/expected', {
        method: 'PUT',
        body: 'asked for',
        headers: { Expect: '100-continue', 'Content-Length': '9' },
      });
      await ask(edge, '/delete', { method: 'DELETE', body: 'odd', headers: { 'Content-Length': '3' } });
      await ask(edge, '/empty', { method: 'POST', headers: { 'Content-Length': '0' } });
      expect(origin.received.map(({ target, body }) => [target, body])).to.deep.equal([
        ['/length', 'with a length'],
        ['/chunked', 'in chunks'],
        ['/expected', 'asked for'],
        ['/delete', 'odd'],
        ['/empty', ''],
      ]);
      expect(origin.received.map(({ headers }) => headers.expect)).to.deep.equal(Array(5).fill(undefined));
    });
  });

  it('read an h2c upgrade as an ordinary request, with its body', async () => {
    const origin = await httpOrigin();
    await behind(origin, {}, async (edge) => {
      const head = 'POST /h2c HTTP/1.1\r\nHost: a.example\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n';
      const text = await raw(
        edge,
        `${head}Connection: Upgrade, HTTP2-Settings, close\r\nContent-Length: 4\r\n\r\nbody`,
      );
      expect(statusesIn(text)).to.deep.equal([200]);
      const [received] = origin.received;
      const { upgrade, 'http2-settings': settings } = received?.headers ?? {};
      expect([received?.body, upgrade, settings]).to.deep.equal(['body', undefined, undefined]);
    });
  });

  it('stop when they go in circles, whatever a zone sets', async () => {
    const headersRequestSet = ['Via', 'CDN-Loop'].map((name) => ({ name, value: 'other' }));
    const [one, two] = await Promise.all([openEdge([]), openEdge([])]);
    one.replace(servedZone({ backends: [originOn(two.port)], settings: { headersRequestSet } }));
    two.replace(servedZone({ backends: [originOn(one.port)], settings: { headersRequestSet } }));
    expect((await ask(one)).status).to.equal(508);
    expect([one, two].map(({ entries }) => entries.length)).to.deep.equal([2, 2]);
    expect(two.entries.map(({ disposition }) => disposition)).to.include('loop');
    await Promise.all([one.close(0), two.close(0)]);
  });

  it('are not sent to the edge itself', async () => {
    const edge = await openEdge([]);
    for (const address of ['127.0.0.1', 'localhost']) {
      edge.replace(servedZone({ backends: [originOn(edge.port, { address })] }));
      expect((await ask(edge)).status).to.equal(502);
    }
    expect((await entriesOf(edge, 2)).map(({ failure }) => failure)).to.deep.equal(
      Array(2).fill('ORIGIN_ADDRESS_REFUSED'),
    );
    await edge.close(0);
  });

  it('tell nothing that only proxies know, in no spelling, unless a trusted one says it', async () => {
    const origin = await httpOrigin();
    const headers = {
      'X-Forwarded-Port': '1',
      X_Forwarded_Port: '2',
      'X-Forwarded-Anything': '1',
      'X-Original-URL': '/admin',
      X_Rewrite_URL: '/admin',
      'X-HTTP-Method-Override': 'DELETE',
      'True-Client-IP': '192.0.2.1',
      'CF-Connecting-IP': '192.0.2.1',
      'X-Client-IP': '192.0.2.1',
      'X-Real-IP': '192.0.2.1',
    };
    const never = {
      Proxy: 'evil.example',
      Transfer_Encoding: 'x',
      Keep_Alive: 'x',
      Content_Length: '3',
      X_Set: 'client',
    };
    const settings = { headersRequestSet: [{ name: 'X-Set', value: 'zone' }] };
    const namesFrom = async (trustedProxies: readonly string[]) => {
      const edge = await openEdge([servedZone({ backends: [originOn(origin.port)], settings })], { trustedProxies });
      await ask(edge, '/', { headers: { ...headers, ...never } });
      await edge.close(0);
      const names = Object.keys(origin.received.at(-1)?.headers ?? {});
      return Object.keys({ ...headers, ...never }).filter((name) => names.includes(name.toLowerCase()));
    };
    expect(await namesFrom([])).to.deep.equal([]);
    expect(await namesFrom(['127.0.0.1'])).to.deep.equal(Object.keys(headers));
    await origin.close();
  });

  it('wait while the origin does not read', async () => {
    let begun: (release: () => void) => void = () => undefined;
    const asked = new Promise<() => void>((resolve) => (begun = resolve));
    const origin = await streamingOrigin((request, response) => {
      request.pause();
      begun(() => request.resume().on('end', () => response.end('done')));
    });
    await behind(origin, {}, async (edge) => {
      const sent = begin({
        port: edge.port,
        method: 'POST',
        headers: { Host: 'a.example', 'Content-Length': String(400 * chunk.length) },
      });
      const answered = once(sent, 'response');
      for (let count = 0; count < 400; count += 1) sent.write(chunk);
      sent.end();
      const release = await asked;
      const waiting = await still(() => sent.socket?.writableLength ?? 0);
      expect(waiting).to.be.greaterThan(100 * chunk.length);
      release();
      const [response] = await answered;
      expect(response.statusCode).to.equal(200);
    });
  });
});

describe('Answers of origins', () => {
  it('pass as they came, without fields of the connection', async () => {
    const origin = await rawOrigin((socket) =>
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 203 Odd\r\nConnection: keep-alive, X-Private\r\nX-Private: 1\r\nKeep-Alive: timeout=9\r\n' +
            'Set-Cookie: a=1\r\nset-cookie: b=\xe9\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nX-CaSe: kept\r\n' +
            'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
          'latin1',
        ),
      ),
    );
    await behind(origin, {}, async (edge) => {
      const { status, rawHeaders, text } = await ask(edge, '/', { headers: { Connection: 'close' } });
      expect([status, text]).to.deep.equal([203, 'hello']);
      expect(rawHeaders).to.deep.equal(
        [
          ['Set-Cookie', 'a=1', 'set-cookie', 'b=\xe9', 'Date', 'Thu, 01 Jan 1970 00:00:00 GMT', 'X-CaSe', 'kept'],
          ['Connection', 'close', 'Transfer-Encoding', 'chunked'],
        ].flat(),
      );
    });
  });

  it('have their headers changed in the order of the response phase', async () => {
    const origin = await httpOrigin((_, response) =>
      response
        .writeHead(200, {
          'Cache-Tag': 'a,b',
          xkey: 'a',
          'Cache-Control': 'public, s-maxage=9',
          Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
          'X-Gone': '1',
          'X-Set': 'origin',
          'X-Cache': 'HIT',
        })
        .end('x'),
    );
    const settings = {
      cacheControlPublicMaxAgeOverride: 60,
      headersResponseRemove: ['x-gone', 'Server'],
      headersResponseSet: [{ name: 'x-set', value: 'zone' }],
      headersResponseAdd: [
        { name: 'Set-Cookie', value: 'a=1' },
        { name: 'Set-Cookie', value: 'b=ü' },
      ],
      debugHeadersEnabled: true,
    };
    const rules = [{ conditions: all('uri starts_with /'), settingsOverrides: { cachingStaticEnabled: true } }];
    await behind(origin, { settings, rules }, async (edge) => {
      const { headers } = await ask(edge, '/a.css');
      expect(headers).to.include({ 'cache-control': 'public, max-age=60', 'x-set': 'zone', 'x-cache': 'pass' });
      expect(headers).to.not.have.any.keys('cache-tag', 'xkey', 'expires', 'x-gone');
      expect(headers['set-cookie']).to.deep.equal(['a=1', `b=${Buffer.from('ü').toString('latin1')}`]);
      expect(headers['x-cache-key']).to.match(/^[0-9a-f]{64}$/);
      expect([headers['x-zone-revision'], headers['x-rules']]).to.deep.equal(['7', 'rule1']);
    });
  });

  it('keep Cache-Control and Expires where they are private or not to be stored', async () => {
    for (const value of ['private', 'no-store, max-age=0', 'max-age=1,Private', 'private="x"']) {
      const origin = await httpOrigin((_, response) =>
        response.writeHead(200, { 'Cache-Control': value, Expires: '0' }).end(),
      );
      await behind(origin, { settings: { cacheControlPublicMaxAgeOverride: 60 } }, async (edge) => {
        const { headers } = await ask(edge);
        expect([headers['cache-control'], headers['expires']]).to.deep.equal([value, '0']);
      });
    }
  });

  it('are left alone where the zone is switched off, but for operations on headers', async () => {
    const origin = await httpOrigin((_, response) => response.writeHead(200, { 'Cache-Tag': 'a' }).end('<p>  x  </p>'));
    const settings = {
      enabled: false,
      debugHeadersEnabled: true,
      minifyHtml: true,
      cacheControlPublicMaxAgeOverride: 60,
      headersResponseSet: [{ name: 'X-Set', value: '1' }],
    };
    await behind(origin, { settings }, async (edge) => {
      const { headers, text } = await ask(edge);
      expect(headers).to.include({ 'cache-tag': 'a', 'x-set': '1' });
      expect(headers).to.not.have.any.keys('x-cache', 'cache-control');
      expect(text).to.equal('<p>  x  </p>');
    });
  });

  it('have no body where HTTP has none', async () => {
    const origin = await httpOrigin(({ target }, response) =>
      target === '/304'
        ? response.writeHead(304, { ETag: '"a"' }).end()
        : target === '/304/length'
          ? response.writeHead(304, { 'Content-Length': '12' }).end()
          : target === '/204'
            ? response.writeHead(204, { 'Content-Length': '12' }).end()
            : response.writeHead(200, { 'Content-Length': '12' }).end('twelve bytes'),
    );
    await behind(origin, {}, async (edge) => {
      const head = await ask(edge, '/', { method: 'HEAD' });
      expect([head.status, head.headers['content-length'], head.text]).to.deep.equal([200, '12', '']);
      const unchanged = await ask(edge, '/304');
      expect([unchanged.status, unchanged.headers['etag'], unchanged.text]).to.deep.equal([304, '"a"', '']);
      const ofLength = await ask(edge, '/304/length');
      expect([ofLength.status, ofLength.headers['content-length'], ofLength.text]).to.deep.equal([304, '12', '']);
      const empty = await ask(edge, '/204');
      expect([empty.status, empty.headers['content-length']]).to.deep.equal([204, undefined]);
    });
  });

  it('are streamed, and wait while the client does not read', async () => {
    let written = 0;
    const origin = await streamingOrigin((_, response) => {
      const write = () => {
        let hasRoom = true;
        while (written < 1000 && hasRoom) {
          written += 1;
          hasRoom = response.write(chunk);
        }
        if (written >= 1000) response.end();
      };
      response.on('drain', write);
      write();
    });
    await behind(origin, {}, async (edge) => {
      const socket = connect(edge.port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n');
      await once(socket, 'readable');
      expect(await still(() => written)).to.be.lessThan(500);
      let bytes = 0;
      for await (const part of socket) bytes += part.length;
      expect(bytes).to.be.greaterThan(1000 * chunk.length);
    });
  });

  it('that may not be passed on harm nobody else', async () => {
    const origin = await httpOrigin((_, response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end('x'));
    // The service refuses such a value.
    const settings = { headersResponseSet: [{ name: 'X-A', value: 'a\nb' }] };
    await behind(origin, { settings }, async (edge) => {
      const image = await ask(edge, '/', { headers: { Accept: 'image/webp' } }).catch((thrown: Error) => thrown);
      expect(image).to.be.instanceOf(Error);
      expect((await entriesOf(edge, 1))[0]?.failure).to.match(/^defect: .*X-A/);
      expect((await ask(edge, '/', { method: 'POST' })).status).to.equal(502);
    });
  });

  it('end when the client goes away', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const origin = await streamingOrigin((_, response) => {
      closed = once(response, 'close');
      response.write('first');
    });
    await behind(origin, {}, async (edge) => {
      const socket = connect(edge.port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n');
      await once(socket, 'data');
      socket.destroy();
      await closed;
      expect((await entriesOf(edge, 1)).map(({ status, complete }) => [status, complete])).to.deep.equal([
        [200, false],
      ]);
    });
  });
});

describe('WebSockets', () => {
  const handshake = (path = '/') =>
    `GET ${path} HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

  const echo = () =>
    rawOrigin((socket) => {
      let head = '';
      socket.setEncoding('latin1').on('data', (text: string) => {
        if (head.includes('\r\n\r\n')) return socket.write(text);
        head += text;
        if (!head.includes('\r\n\r\n')) return;
        const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
        socket.write(`${switching}Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzhZRbK+xOo=\r\n\r\nhello`);
        socket.write(head.slice(head.indexOf('\r\n\r\n') + 4));
      });
    });

  it('are joined after the handshake, with what came early on both sides', async () => {
    await behind(await echo(), { settings: { debugHeadersEnabled: true } }, async (edge) => {
      const socket = connect(edge.port, '127.0.0.1').setEncoding('latin1');
      let text = '';
      socket.on('data', (part: string) => (text += part));
      socket.write(`${handshake()}early`);
      while (!text.endsWith('early')) await once(socket, 'data');
      expect(statusesIn(text)).to.deep.equal([101]);
      expect(text)
        .to.match(/sec-websocket-accept: s3pP.*\r\n/i)
        .and.to.match(/X-Cache: pass\r\n/);
      expect(text.slice(text.indexOf('\r\n\r\n') + 4)).to.equal('helloearly');
      socket.write('again');
      while (!text.endsWith('again')) await once(socket, 'data');
      socket.destroy();
      expect((await entriesOf(edge, 1))[0]).to.include({ status: 101, complete: true, disposition: 'serve' });
    });
  });

  it('get the answer of an origin that does not upgrade', async () => {
    const origin = await httpOrigin((_, response) => response.writeHead(404).end('no'));
    await behind(origin, {}, async (edge) => {
      const text = await raw(edge, handshake());
      expect(statusesIn(text)).to.deep.equal([404]);
      expect(text).to.match(/connection: close/i);
      expect((await entriesOf(edge, 1))[0]).to.include({ status: 404, complete: true });
    });
  });

  it('wait for the answers to requests before them on the connection, as other upgrades do', async () => {
    const origin = await httpOrigin(({ target }, response) => response.end(target));
    await behind(origin, {}, async (edge) => {
      const plain = handshake('/2').replace('WebSocket', 'other');
      const text = await raw(edge, `GET /1 HTTP/1.1\r\nHost: a.example\r\n\r\n${plain}${plain}${handshake('/3')}`);
      expect(statusesIn(text)).to.deep.equal([200, 200, 200, 200]);
      expect(text.match(/\/\d$|\/\d(?=HTTP)/g)).to.deep.equal(['/1', '/2', '/2', '/3']);
    });
  });

  it('pass the same rules as all requests', async () => {
    const access = [{ conditions: all('uri equals /block'), action: 'block' }];
    await behind(await echo(), { access }, async (edge) => {
      expect(statusesIn(await raw(edge, handshake('/block')))).to.deep.equal([403]);
    });
  });

  it('and other answers never have more lines than the zone sets', async () => {
    const headersResponseSet = [{ name: 'X-A', value: 'a\r\nX-B: b' }];
    await behind(await echo(), { settings: { headersResponseSet } }, async (edge) => {
      expect(await raw(edge, handshake())).to.not.match(/X-B/);
      expect((await entriesOf(edge, 1))[0]?.failure).to.match(/^defect: .*X-A/);
    });
    await behind(await httpOrigin(), { settings: { headersResponseSet } }, async (edge) => {
      expect((await ask(edge)).status).to.equal(502);
    });
  });

  it('end with the edge', async () => {
    const origin = await echo();
    const edge = await openEdge([servedZone({ backends: [originOn(origin.port)] })]);
    const socket = connect(edge.port, '127.0.0.1');
    socket.write(handshake());
    await once(socket, 'data');
    await Promise.all([once(socket, 'close'), edge.close(5)]);
    await origin.close();
  });
});
