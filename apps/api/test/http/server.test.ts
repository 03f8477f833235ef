import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { object, whole } from '@zonewright/api-description';
import { expect } from 'chai';
import Koa from 'koa';
import { ok, okAsync } from 'neverthrow';
import { z } from 'zod';
import { publicRoute } from '../../src/http/route.ts';
import { httpServer, serverLimits } from '../../src/http/server.ts';
import { parseReplies, type RawReply } from '../support/raw-http.ts';
import { serveRoutes } from '../support/served-routes.ts';

const echo = publicRoute({
  method: 'post',
  path: '/api/echo',
  cost: 'constant',
  summary: 'Answer what was sent.',
  answers: object('Echo', z.record(z.string(), z.unknown())),
  accepts: whole(z.record(z.string(), z.unknown())),
  body: (body) => ok(body),
  run: ({ body }) => okAsync(body),
  present: (body) => ({ body }),
});
const head = (contentLength: number) =>
  `POST /api/echo HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${contentLength}\r\n\r\n`;
const body = '{"a":1}';
const request = `${head(body.length)}${body}`;
const chunked = (version: string, coding: string) =>
  `${head(7).replace('HTTP/1.1', version).replace('Content-Length: 7', `Transfer-Encoding: ${coding}`)}7\r\n${body}\r\n0\r\n\r\n`;

/** Requires a single problem document that explains why the connection closes. */
function expectUnreadable(replies: readonly RawReply[], status: number): void {
  expect(replies.map((reply) => reply.status)).to.deep.equal([status]);
  expect(JSON.parse(replies[0]?.body ?? '')).to.include({ type: '/errors/unreadable-request', status });
  expect(replies[0]?.headers).to.include({
    connection: 'close',
    'content-type': 'application/problem+json; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
}

/** A fraction of the real limits, so that tests need not wait half a minute. */
const fast = {
  ...serverLimits,
  headersTimeout: 300,
  requestTimeout: 500,
  keepAliveTimeout: 100,
  answerTimeout: 400,
  connectionsCheckingInterval: 20,
  maxRequestsPerSocket: 3,
};

describe('httpServer', () => {
  let served: Awaited<ReturnType<typeof serveRoutes>>;
  before(async () => {
    served = await serveRoutes({ routes: [echo] }, fast);
  });
  after(() => served.close());

  /** Runs `send` and reads until the server closes the connection. */
  async function talk(send: (socket: Socket) => void): Promise<readonly RawReply[]> {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    await once(socket, 'connect');
    send(socket);
    return parseReplies(await text(socket));
  }

  /** Sends one byte at a time, far more slowly than allowed, until the connection closes. */
  const drip = (message: string) => (socket: Socket) => {
    let sent = 0;
    const timer = setInterval(() => {
      socket.write(message.charAt(sent));
      sent += 1;
    }, 10);
    for (const event of ['close', 'end']) socket.once(event, () => clearInterval(timer));
  };

  it("has the service's limits unless configured otherwise", () => {
    expect(httpServer(new Koa(), { documentation: '' })).to.include({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5000,
      maxRequestsPerSocket: 1000,
    });
    expect(serverLimits).to.include({
      answerTimeout: 30_000,
      connectionsCheckingInterval: 2000,
      maxConnections: 4000,
      maxHeaderSize: 16_384,
    });
  });

  const slowSenders: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['a client that sends nothing', () => undefined],
    ['a client that stops in the header', (socket) => socket.write(request.slice(0, 20))],
    ['a client that sends a header byte by byte', drip(request)],
    ['a client that stops in the body', (socket) => socket.write(request.slice(0, -1))],
    [
      'a client that sends a body byte by byte',
      (socket) => {
        socket.write(head(1000));
        drip(`{"a":"${'x'.repeat(992)}"}`)(socket);
      },
    ],
  ];
  for (const [who, send] of slowSenders) {
    it(`closes with 408 on ${who}`, async () => {
      const replies = await talk(send);
      expectUnreadable(replies, 408);
    });
  }

  it('closes an idle connection', async () => {
    const replies = await talk((socket) => socket.write(request));
    expect(replies.map(({ status }) => status)).to.deep.equal([200]);
  });

  it('closes after a number of requests, and announces it in the last response', async () => {
    const replies = await talk((socket) => socket.write(request.repeat(fast.maxRequestsPerSocket)));
    expect(replies.map(({ status, headers }) => [status, headers['connection']])).to.deep.equal([
      [200, 'keep-alive'],
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
  });

  it('closes connections beyond the maximum', async () => {
    const crowded = await serveRoutes({ routes: [echo] }, { ...fast, maxConnections: 1 });
    const first = connect(Number(new URL(crowded.url).port), '127.0.0.1');
    await once(first, 'connect');
    const second = connect(Number(new URL(crowded.url).port), '127.0.0.1');
    expect(await text(second)).to.equal('');
    first.write(request);
    expect(parseReplies(await text(first)).map(({ status }) => status)).to.deep.equal([200]);
    await crowded.close();
  });

  const ambiguous: Readonly<Record<string, string>> = {
    'two Host fields': request.replace('Host: test', 'Host: test\r\nHost: test'),
    'no Host field': request.replace('Host: test\r\n', ''),
    'a Host field that is no host': request.replace('Host: test', 'Host: a.test, b.test'),
    'a Host field with a path': request.replace('Host: test', 'Host: test/path'),
    'a transfer coding besides chunked': chunked('HTTP/1.1', 'gzip, chunked'),
    'a transfer coding in HTTP/1.0': chunked('HTTP/1.0', 'chunked'),
    'HTTP/2.0': request.replace('HTTP/1.1', 'HTTP/2.0'),
    'HTTP/0.9': 'POST /api/echo\r\n\r\n',
    'two lengths': request.replace('Content-Length: 7', 'Content-Length: 7\r\nContent-Length: 7'),
    'a length and a transfer coding': chunked('HTTP/1.1', 'chunked\r\nContent-Length: 7'),
  };
  for (const [what, message] of Object.entries(ambiguous)) {
    it(`answers 400 to ${what}, and closes`, async () => {
      const replies = await talk((socket) => socket.write(message));
      expectUnreadable(replies, 400);
    });
  }

  it('accepts an empty Host, an address with a port, and HTTP/1.0 without Host', async () => {
    for (const message of [
      request.replace('Host: test', 'Host:'),
      request.replace('Host: test', 'Host: [::1]:8080'),
      request.replace('Host: test', 'Host: zones_1.example.com:443'),
      request.replace('HTTP/1.1\r\nHost: test', 'HTTP/1.0'),
      chunked('HTTP/1.1', 'CHUNKED'),
    ]) {
      const replies = await talk((socket) => socket.write(message.replace('\r\n', '\r\nConnection: close\r\n')));
      expect(replies.map(({ status }) => status)).to.deep.equal([200]);
    }
  });

  it('answers 417 to an unknown expectation', async () => {
    const replies = await talk((socket) => socket.write(request.replace('Host: test', 'Host: test\r\nExpect: magic')));
    expectUnreadable(replies, 417);
  });

  it('logs none of this as an internal error', () => {
    expect(served.log.filter(({ level }) => Number(level) >= 40)).to.deep.equal([]);
  });
});

describe('Garbage after a request', () => {
  const garbage = 'NONSENSE\r\n\r\n';
  const ask = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';
  let server: Server;
  let body: PassThrough;
  let isAsked: Promise<unknown>;

  /** The test controls the response: nothing is sent before its first chunk. */
  beforeEach(async () => {
    const app = new Koa();
    app.silent = true;
    body = new PassThrough();
    const asked = new EventEmitter();
    isAsked = once(asked, 'asked');
    app.use(async (ctx) => {
      asked.emit('asked');
      if (body.readableLength === 0 && !body.writableEnded) await once(body, 'readable');
      ctx.body = body;
    });
    server = httpServer(app, { documentation: '' });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  const connected = async (): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };

  it('gets a response once that request has its complete response', async () => {
    const socket = await connected();
    socket.write(ask);
    body.end('all');
    await once(socket, 'readable');
    socket.write(garbage);
    expect(await text(socket)).to.match(/^HTTP\/1\.1 200 [^]*all\r\n0\r\n\r\nHTTP\/1\.1 400 /);
  });

  it('adds nothing to a response in progress: the connection closes', async () => {
    const socket = await connected();
    socket.write(ask);
    body.write('a part');
    await once(socket, 'readable');
    socket.write(garbage);
    expect(await text(socket)).to.match(/^HTTP\/1\.1 200 [^]*a part\r\n$/);
  });

  it('is not answered before that request: the connection closes', async () => {
    for (const message of [`${ask}${garbage}`, `${ask}${ask}${garbage}`]) {
      const socket = await connected();
      socket.write(message);
      await isAsked;
      expect(await text(socket)).to.equal('');
    }
  });
});
