import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import Koa from 'koa';
import { httpServer, serverLimits } from '../../src/http/server.ts';

/** Larger than the buffers of both sides. */
const answer = Buffer.alloc(32 * 2 ** 20, 'x');
const limits = { ...serverLimits, answerTimeout: 300, connectionsCheckingInterval: 20 };

describe('dropStalledConnections', () => {
  let server: Server;
  before(async () => {
    const app = new Koa();
    app.use((ctx) => {
      ctx.body = answer;
    });
    server = httpServer(app, { limits, documentation: '' });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => server.close());

  /** Both ends of a connection with `requests` requests and unread responses. */
  async function connectionWith(requests = 1) {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(requests));
    const [atServer] = await accepted;
    return { client, atServer };
  }

  for (const requests of [1, 3]) {
    it(`drops the connection of a client that reads none of ${requests} responses`, async () => {
      const began = performance.now();
      const { client, atServer } = await connectionWith(requests);
      await once(atServer, 'close');
      expect(performance.now() - began).to.be.within(limits.answerTimeout, limits.answerTimeout + 1500);
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
});
