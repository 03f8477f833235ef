import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import Koa from 'koa';
import { httpServer, type ServerLimits, serverLimits } from '../../src/http/server.ts';

/** Larger than the buffers of both sides. */
const answer = Buffer.alloc(32 * 2 ** 20, 'x');
const limits = { ...serverLimits, answerTimeout: 300, bodyGrace: 200, connectionsCheckingInterval: 20 };

describe('dropSlowConnections', () => {
  const servers: Server[] = [];
  let server: Server;
  before(async () => {
    server = await listening(limits);
  });
  after(() => {
    for (const each of servers) each.close();
  });

  /** Answers `GET` at once, and others when their body is read. */
  async function listening(using: ServerLimits): Promise<Server> {
    const app = new Koa();
    app.silent = true;
    app.use(async (ctx) => {
      if (ctx.method === 'POST') await pause(limits.bodyGrace * 2);
      if (ctx.method !== 'GET') await buffer(ctx.req);
      ctx.body = ctx.method === 'GET' ? answer : 'read';
    });
    const opened = httpServer(app, { limits: using, documentation: '' });
    servers.push(opened);
    await once(opened.listen(0, '127.0.0.1'), 'listening');
    return opened;
  }

  /** Both ends of a connection with `requests` requests and unread responses. */
  async function connectionWith(requests = 1, to = server) {
    const accepted = once(to, 'connection') as Promise<[Socket]>;
    const client = connect((to.address() as AddressInfo).port, '127.0.0.1').pause();
    client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(requests));
    const [atServer] = await accepted;
    return { client, atServer };
  }

  for (const requests of [1, 3]) {
    it(`drops the connection of a client that reads none of ${requests} responses`, async () => {
      const began = performance.now();
      const { client, atServer } = await connectionWith(requests);
      await once(atServer, 'close');
      // On a busy machine it may take longer; without the limit, forever.
      expect(performance.now() - began).to.be.at.least(limits.answerTimeout);
      client.destroy();
    });
  }

  it('keeps slow clients as long as they read', async () => {
    const { client } = await connectionWith();
    const began = performance.now();
    let bytes = 0;
    for await (const chunk of client as AsyncIterable<Buffer>) {
      const before = bytes;
      bytes += chunk.length;
      if (bytes >= answer.length) break;
      const isNextPart = Math.floor(before / 2 ** 22) < Math.floor(bytes / 2 ** 22);
      if (isNextPart) await pause(limits.answerTimeout / 2);
    }
    expect(bytes).to.be.at.least(answer.length);
    expect(performance.now() - began).to.be.greaterThan(3 * limits.answerTimeout);
  });

  it('drops a client that reads all the time, but far too slowly', async () => {
    const impatient = await listening({ ...limits, lowestRate: 100 * 2 ** 20 });
    const { client, atServer } = await connectionWith(1, impatient);
    let bytes = 0;
    client.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      client.pause();
    });
    for (client.resume(); !atServer.destroyed; client.resume()) await pause(1);
    expect(bytes).to.be.within(2 ** 20, answer.length - 1);
    client.destroy();
  });

  /** Sends a body of 64 KiB in 16 parts, with pauses; returns what comes back until the connection closes. */
  async function sendSlowly(method: string, to: Server, milliseconds: number): Promise<string> {
    const client = connect((to.address() as AddressInfo).port, '127.0.0.1');
    const reply = text(client);
    client.on('error', () => undefined);
    client.write(`${method} / HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: ${16 * 4096}\r\n\r\n`);
    for (let part = 0; part < 16 && client.writable && !client.readableEnded; part += 1) {
      client.write(Buffer.alloc(4096, 'x'));
      await pause(milliseconds);
    }
    client.end();
    return reply;
  }

  it('gives up a body that arrives too slowly with 408, and no other', async () => {
    const impatient = await listening({ ...limits, lowestRate: 2 ** 20 });
    const began = performance.now();
    expect(await sendSlowly('PUT', impatient, 40)).to.match(/^HTTP\/1\.1 408 /);
    expect(performance.now() - began).to.be.at.least(limits.bodyGrace);
    expect(await sendSlowly('PUT', server, 20)).to.match(/^HTTP\/1\.1 200 /);
  });

  it('does not count the time in which the service does not read the body', async () => {
    const impatient = await listening({ ...limits, lowestRate: 2 ** 16 });
    expect(await sendSlowly('POST', impatient, 1)).to.match(/^HTTP\/1\.1 200 /);
  });
});
