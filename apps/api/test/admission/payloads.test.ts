import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { object, whole } from '@zonewright/api-description';
import { type AuthenticatedCaller, SessionId, UserId } from '@zonewright/core';
import { expect } from 'chai';
import { ok, okAsync } from 'neverthrow';
import { z } from 'zod';
import { payloadBudget } from '../../src/admission/payload-budget.ts';
import { bodyLimits } from '../../src/http/body.ts';
import { protectedRoute } from '../../src/http/route.ts';
import { until } from '../faults/support/until.ts';
import { authenticatingAs, serveRoutes } from '../support/served-routes.ts';

/** Larger than the buffers of both sides. */
const longText = 'x'.repeat(16 * 2 ** 20);
const Anything = z.record(z.string(), z.unknown());

/** How often each kind of work was executed. */
const works = { reads: 0, writes: 0 };
const read = protectedRoute({
  method: 'get',
  path: '/api/text',
  cost: 'constant',
  permission: 'any token',
  summary: 'Answer at length.',
  answers: object('Text', Anything),
  run: () => {
    works.reads += 1;
    return okAsync();
  },
  present: () => ({ body: { longText } }),
});
const write = protectedRoute({
  method: 'put',
  path: '/api/text',
  cost: 'constant',
  permission: 'any token',
  summary: 'Take a long text and answer at length.',
  answers: object('Text', Anything),
  accepts: whole(Anything),
  bodyLimit: bodyLimits.whole,
  body: (body) => ok(body),
  run: () => {
    works.writes += 1;
    return okAsync();
  },
  present: () => ({ body: { longText } }),
});

const userOf = (token: string) => UserId.parse(`01900000-0000-7000-8000-${token.padStart(12, '0')}`);
const callerOf = (token: string): AuthenticatedCaller => ({
  userId: userOf(token),
  credential: {
    kind: 'session',
    id: SessionId.parse(userOf(token)),
    provider: undefined,
    confirmed: true,
    confirmableBy: ['password'],
  },
  memberships: new Map(),
});

describe('Large payloads', () => {
  const payloads = payloadBudget({ total: 60 * 2 ** 20, perUser: 34 * 2 ** 20 });
  let served: Awaited<ReturnType<typeof serveRoutes>>;
  const sockets: Socket[] = [];
  before(async () => {
    served = await serveRoutes({ routes: [read, write], payloads, ...authenticatingAs(callerOf) });
  });
  after(() => served.close());
  beforeEach(() => Object.assign(works, { reads: 0, writes: 0 }));
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(() => [1, 2, 3].every((user) => hasAllRoom(String(user))));
  });

  /** Whether the user has no reserved memory. */
  function hasAllRoom(user: string): boolean {
    const release = payloads.reserve(userOf(user), 34 * 2 ** 20);
    release?.();
    return release !== undefined;
  }

  /** Sends a request and reads the whole response; compressing it would take most of the time. */
  async function get(user: string) {
    const headers = { authorization: `Bearer ${user}`, 'accept-encoding': 'identity' };
    const reply = await fetch(new URL('/api/text', served.url), { headers });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, unknown> };
  }

  /** Sends requests on one connection without reading the responses. */
  async function stall(user: string, count = 1): Promise<Socket> {
    const before = works.reads;
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1').pause();
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(`GET /api/text HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${user}\r\n\r\n`.repeat(count));
    await until(() => works.reads === before + count && !hasAllRoom(user));
    return socket;
  }

  it('are rejected with 503 for a user with too many unread ones, but not for others', async () => {
    await stall('1');
    await stall('1');
    const refused = await get('1');
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(refused.body).to.include({ type: '/errors/service-unavailable' });
    const other = await get('2');
    expect(other.status).to.equal(200);
    expect(other.body).to.have.property('longText').with.length(longText.length);
  });

  it('are rejected before any work once the share is used up', async () => {
    const [first, second] = [payloads.reserve(userOf('3'), 20 * 2 ** 20), payloads.reserve(userOf('3'), 14 * 2 ** 20)];
    expect((await get('3')).status).to.equal(503);
    expect(works.reads).to.equal(0);
    first?.();
    second?.();
    expect((await get('3')).status).to.equal(200);
  });

  it('release their bytes when they are read, and when the connection closes', async () => {
    // Together more than the share of a user.
    for (let round = 0; round < 3; round += 1) expect((await get('1')).status).to.equal(200);
    const pipelined = await stall('1', 2);
    expect((await get('1')).status).to.equal(503);
    pipelined.destroy();
    await until(() => hasAllRoom('1'));
    expect((await get('1')).status).to.equal(200);
  });

  /** Sends a body of this many bytes. */
  async function put(size: number) {
    const reply = await fetch(new URL('/api/text', served.url), {
      method: 'PUT',
      headers: { authorization: 'Bearer 1', 'content-type': 'application/json', 'accept-encoding': 'identity' },
      body: JSON.stringify({ text: 'x'.repeat(size) }),
    });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  }

  it('include request bodies: 503 as soon as one does not fit, and the connection closes', async () => {
    const release = payloads.reserve(userOf('1'), 33 * 2 ** 20);
    const head =
      'PUT /api/text HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer 1\r\nContent-Type: application/json\r\n';
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.write(`${head}Content-Length: 1400000\r\n\r\n{"text":"${'x'.repeat(1.2 * 2 ** 20)}`);
    expect(await text(socket)).to.match(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/i);
    expect(works.writes).to.equal(0);
    // The response does not fit either, but the change has been made.
    expect((await put(10)).status).to.equal(200);
    expect(works.writes).to.equal(1);
    release?.();
    expect((await put(1.2 * 2 ** 20)).status).to.equal(200);
  });

  it('count what has arrived of request bodies, not what was announced', async () => {
    const head =
      'PUT /api/text HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer 1\r\nContent-Type: application/json\r\n';
    for (let count = 0; count < 40; count += 1) {
      const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
      sockets.push(socket);
      socket.write(`${head}Content-Length: 1400000\r\n\r\n{`);
    }
    const [latest] = sockets.slice(-1);
    await once(latest as Socket, 'connect');
    latest?.write(`"text":"${'x'.repeat(2 ** 20)}`);
    // Other than the one that is read, no body occupies anything.
    await until(() => !hasAllRoom('1'));
    const release = payloads.reserve(userOf('1'), 33 * 2 ** 20 - 2 ** 18);
    expect(release).to.not.equal(undefined);
    release?.();
  });
});
