import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import Koa from 'koa';
import { ok, okAsync } from 'neverthrow';
import { z } from 'zod';
import { object, whole } from '../../src/http/description.ts';
import { publicRoute } from '../../src/http/route.ts';
import { httpServer, serverLimits } from '../../src/http/server.ts';
import { parseReplies, type RawReply } from '../support/raw-http.ts';
import { serveRoutes } from '../support/served-routes.ts';

const echo = publicRoute({
  method: 'post',
  path: '/api/echo',
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

/** A fraction of the real limits: tests have no half minutes. */
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

  /** Lets `send` write and reads until the server hangs up. */
  async function talk(send: (socket: Socket) => void): Promise<readonly RawReply[]> {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    await once(socket, 'connect');
    send(socket);
    return parseReplies(await text(socket));
  }

  /** One byte after the other, far slower than the limits want it; until nobody listens any more. */
  const drip = (message: string) => (socket: Socket) => {
    let sent = 0;
    const timer = setInterval(() => {
      socket.write(message.charAt(sent));
      sent += 1;
    }, 10);
    for (const event of ['close', 'end']) socket.once(event, () => clearInterval(timer));
  };

  it('has the limits of the service unless told otherwise', () => {
    expect(httpServer(new Koa(), { documentation: '' })).to.include({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5000,
      maxRequestsPerSocket: 1000,
      maxConnections: 4000,
    });
    expect(serverLimits).to.include({
      answerTimeout: 30_000,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: 16_384,
    });
  });

  const slowSenders: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['whoever sends nothing', () => undefined],
    ['whoever stops in the header', (socket) => socket.write(request.slice(0, 20))],
    ['whoever sends a header byte by byte', drip(request)],
    ['whoever stops in the body', (socket) => socket.write(request.slice(0, -1))],
    [
      'whoever sends a body byte by byte',
      (socket) => {
        socket.write(head(1000));
        drip(`{"a":"${'x'.repeat(992)}"}`)(socket);
      },
    ],
  ];
  for (const [who, send] of slowSenders) {
    it(`hangs up with 408 on ${who}`, async () => {
      const replies = await talk(send);
      expect(replies.map(({ status }) => status)).to.deep.equal([408]);
      expect(JSON.parse(replies[0]?.body ?? '')).to.include({ type: '/errors/unreadable-request', status: 408 });
      expect(replies[0]?.headers).to.include({ connection: 'close' });
    });
  }

  it('hangs up on a connection that asks for nothing any more', async () => {
    const replies = await talk((socket) => socket.write(request));
    expect(replies.map(({ status }) => status)).to.deep.equal([200]);
  });

  it('hangs up after so many requests, and says so with the last answer', async () => {
    const replies = await talk((socket) => socket.write(request.repeat(fast.maxRequestsPerSocket)));
    expect(replies.map(({ status, headers }) => [status, headers['connection']])).to.deep.equal([
      [200, 'keep-alive'],
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
  });

  it('closes a connection more than there may be', async () => {
    const crowded = await serveRoutes({ routes: [echo] }, { ...fast, maxConnections: 1 });
    const first = connect(Number(new URL(crowded.url).port), '127.0.0.1');
    await once(first, 'connect');
    const second = connect(Number(new URL(crowded.url).port), '127.0.0.1');
    expect(await text(second)).to.equal('');
    first.write(request);
    expect(parseReplies(await text(first)).map(({ status }) => status)).to.deep.equal([200]);
    await crowded.close();
  });

  it('records none of this as a failure of its own', () => {
    expect(served.log.filter(({ level }) => Number(level) >= 40)).to.deep.equal([]);
  });
});
