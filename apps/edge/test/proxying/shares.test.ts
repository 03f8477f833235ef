import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { connectionLimits } from '../../src/framing/http-server.ts';
import type { ProxyParts } from '../../src/proxying/open-proxy.ts';
import { shareBounds } from '../../src/shares/bounds.ts';
import { ask, entriesOf, openEdge, raw, statusesIn, type TestEdge } from '../support/edge.ts';
import { httpOrigin, rawOrigin, streamingOrigin, type TestOrigin } from '../support/origin.ts';
import { still } from '../support/stillness.ts';
import { type EdgeDraft, originOn, servedZone } from '../support/zones.ts';

const other = { headers: { Host: 'b.example' } };

/** An edge in front of an origin, with zones a.example, whose shares are small, and b.example; both end with the test. */
async function sharing(
  origin: TestOrigin,
  { zone, client }: { readonly zone?: object; readonly client?: object },
  work: (edge: TestEdge) => Promise<void>,
  { draft = {}, parts = {} }: { readonly draft?: EdgeDraft; readonly parts?: Partial<ProxyParts> } = {},
): Promise<void> {
  const backends = [originOn(origin.port)];
  const zones = [
    servedZone({ backends, ...draft }),
    servedZone({ id: 'zone-2', hostnames: ['b.example'], backends, ...draft }),
  ];
  const bounds = {
    ...shareBounds,
    zone: { ...shareBounds.zone, ...zone },
    client: { ...shareBounds.client, ...client },
  };
  const edge = await openEdge(zones, {}, { shareBounds: bounds, ...parts });
  try {
    await work(edge);
  } finally {
    await edge.close(0);
    await origin.close();
  }
}

/** An origin that answers the requests of a zone when the test says so. */
async function heldOrigin() {
  const held: ServerResponse[] = [];
  let asked = () => {};
  const origin = await httpOrigin(({ headers }, response) => {
    if (headers.host === 'b.example') return void response.end('other');
    held.push(response);
    asked();
  });
  return {
    origin,
    held,
    /** Resolves when this many requests are held. */
    holds: async (count: number) => {
      while (held.length < count) await new Promise<void>((resolve) => (asked = resolve));
    },
  };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
};

describe('What a zone may have of an edge', () => {
  it('are requests at origins: others wait, then are refused, and those of other zones are answered', async () => {
    const { origin, held, holds } = await heldOrigin();
    await sharing(origin, { zone: { originRequests: 2, waiting: 1 } }, async (edge) => {
      const inside = [ask(edge), ask(edge)];
      await holds(2);
      const waiting = ask(edge);
      const refused = await ask(edge);
      expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '1']);
      expect((await entriesOf(edge, 1))[0]).to.include({ zone: 'zone-1', share: 'originRequests' });
      expect((await ask(edge, '/', other)).status).to.equal(200);
      held[0]?.end();
      await holds(3);
      for (const response of held) response.end();
      expect((await Promise.all([...inside, waiting])).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    });
  });

  it('is time to wait for an origin: 504 afterwards, and the origin is not asked', async () => {
    const { origin, held, holds } = await heldOrigin();
    await sharing(origin, { zone: { originRequests: 1, waitSeconds: 0.01 } }, async (edge) => {
      const inside = ask(edge);
      await holds(1);
      expect((await ask(edge)).status).to.equal(504);
      held[0]?.end();
      expect((await inside).status).to.equal(200);
      expect(origin.received).to.have.length(1);
    });
  });

  it('is nothing for a client that has gone: its request is dropped from the queue', async () => {
    const { origin, held, holds } = await heldOrigin();
    await sharing(origin, { zone: { originRequests: 1 } }, async (edge) => {
      const inside = ask(edge);
      await holds(1);
      const socket = connect(edge.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write('GET /gone HTTP/1.1\r\nHost: a.example\r\n\r\n');
      const last = ask(edge, '/last');
      await still(() => edge.entries.length);
      socket.destroy();
      await entriesOf(edge, 1);
      held[0]?.end();
      await holds(2);
      held[1]?.end();
      expect([(await inside).status, (await last).status]).to.deep.equal([200, 200]);
      expect(origin.received.map(({ target }) => target)).to.deep.equal(['/', '/last']);
    });
  });

  it('is time for evaluations: beyond it, requests are refused without one', async () => {
    const origin = await httpOrigin();
    const zone = { evaluationPerSecond: 1e-6, evaluationKept: 1e-6, evaluationFree: 0 };
    await sharing(origin, { zone }, async (edge) => {
      expect((await ask(edge)).status).to.equal(200);
      expect((await ask(edge)).status).to.equal(503);
      expect((await ask(edge, '/', other)).status).to.equal(200);
      expect((await entriesOf(edge, 2))[1]).to.include({ disposition: 'busy', share: 'evaluation' });
    });
  });

  it('are bytes that are held back: beyond, bodies pass as they come', async () => {
    const page = '<!doctype html><html><body> <p> x  </p> </body></html>';
    const origin = await httpOrigin((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page),
    );
    await sharing(
      origin,
      { zone: { bufferedBytes: 10 } },
      async (edge) => void expect((await ask(edge)).text).to.equal(page),
      {
        draft: { settings: { minifyHtml: true } },
      },
    );
  });
});

const handshake =
  'GET / HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

const webSocketOrigin = () =>
  rawOrigin((socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    ),
  );

describe('WebSockets of a zone', () => {
  const open = async (edge: TestEdge): Promise<{ readonly socket: Socket; readonly status: string }> => {
    const socket = connect(edge.port, '127.0.0.1').setEncoding('latin1');
    socket.write(handshake);
    const [text] = await once(socket, 'data');
    return { socket, status: String(text).slice(9, 12) };
  };

  it('are bounded in number; the end of one makes room', async () => {
    await sharing(await webSocketOrigin(), { zone: { upgrades: 1 } }, async (edge) => {
      const first = await open(edge);
      expect([first.status, (await open(edge)).status]).to.deep.equal(['101', '503']);
      first.socket.destroy();
      await entriesOf(edge, 2);
      expect((await open(edge)).status).to.equal('101');
    });
  });

  it('are closed when nobody has said anything for a time', async () => {
    const parts = { connectionLimits: { ...connectionLimits, upgradedIdleSeconds: 0.05 } };
    const work = async (edge: TestEdge) => {
      const { socket, status } = await open(edge);
      expect(status).to.equal('101');
      await once(socket, 'close');
    };
    await sharing(await webSocketOrigin(), {}, work, { parts });
  });
});

describe('What a client may have of an edge', () => {
  it('is a part of the places of a zone', async () => {
    const { origin, held, holds } = await heldOrigin();
    const settings = { trustedProxies: ['127.0.0.1'] };
    const bounds = { ...shareBounds, client: { ...shareBounds.client, originRequests: 1, waiting: 0 } };
    const edge = await openEdge([servedZone({ backends: [originOn(origin.port)] })], settings, { shareBounds: bounds });
    const of = (address: string) => ask(edge, '/', { headers: { 'X-Forwarded-For': address } });
    const inside = [of('192.0.2.1'), of('192.0.2.2'), of('2001:db8::1')];
    await holds(3);
    expect((await of('192.0.2.1')).status).to.equal(503);
    expect((await of('2001:db8:0:ff::2')).status).to.equal(503);
    const another = of('2001:db8:0:100::2');
    await holds(4);
    for (const response of held) response.end();
    const all = await Promise.all([...inside, another]);
    expect(all.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    await edge.close(0);
    await origin.close();
  });

  it('is a number of connections', async () => {
    const origin = await httpOrigin();
    await sharing(origin, { client: { connections: 1 } }, async (edge) => {
      const socket = connect(edge.port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n');
      await once(socket, 'data');
      expect(await raw(edge, 'GET / HTTP/1.1\r\nHost: a.example\r\n\r\n')).to.equal('');
      expect((await entriesOf(edge, 2))[1]).to.include({ status: 0, share: 'connections' });
      socket.destroy();
      await once(socket, 'close');
      let status = 0;
      while (status !== 200)
        status = await ask(edge).then(
          (response) => response.status,
          () => 0,
        );
    });
  });
});

describe('Slow clients', () => {
  const pace = { bytesPerSecond: 1000, sendingSeconds: 0.3, readingSeconds: 0.3 };
  const parts = { connectionLimits: { ...connectionLimits, ...pace } };
  const post = (length: number) => `POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: ${length}\r\n\r\n`;

  it('that send a short body keep no origin waiting', async () => {
    const origin = await httpOrigin();
    await sharing(origin, {}, async (edge) => {
      const socket = connect(edge.port, '127.0.0.1').setEncoding('latin1');
      socket.write(`${post(6)}abc`);
      expect((await ask(edge, '/first')).status).to.equal(200);
      socket.write('def');
      await once(socket, 'data');
      expect(origin.received.map(({ target, body }) => [target, body])).to.deep.equal([
        ['/first', ''],
        ['/', 'abcdef'],
      ]);
    });
  });

  it('get 408 when a body comes more slowly than the lowest rate, whatever its length', async () => {
    await sharing(
      await httpOrigin(),
      {},
      async (edge) => {
        const texts = await Promise.all([raw(edge, `${post(9)}abc`), raw(edge, `${post(1_000_000)}abc`)]);
        expect(texts.flatMap(statusesIn)).to.deep.equal([408, 408]);
        expect((await entriesOf(edge, 2))[0]).to.include({ failure: 'slowBody' });
      },
      { parts },
    );
  });

  it('that are not slower may take as long as they like, and so may origins', async () => {
    const origin = await streamingOrigin((request, response) => {
      request.resume().on('end', () => {
        let parts = 0;
        const timer = setInterval(() => {
          response.write(': still here\n\n');
          parts += 1;
          if (parts === 10) response.end();
          if (parts === 10) clearInterval(timer);
        }, 80);
      });
    });
    await sharing(
      origin,
      {},
      async (edge) => {
        const socket = connect(edge.port, '127.0.0.1').setEncoding('latin1');
        let text = '';
        socket.on('data', (part: string) => (text += part));
        const length = 100_000;
        socket.write(post(length).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
        for (let count = 0; count < 10; count += 1) {
          socket.write('x'.repeat(length / 10));
          await new Promise((resolve) => setTimeout(resolve, 80));
        }
        await once(socket, 'close');
        expect(statusesIn(text)).to.deep.equal([200]);
        expect(text.match(/still here/g)).to.have.length(10);
      },
      { parts },
    );
  });

  it('that do not read an answer are cut off', async () => {
    const origin = await streamingOrigin((_, response) => {
      const write = () =>
        void (response.write(Buffer.alloc(1024 * 1024)) ? setImmediate(write) : response.once('drain', write));
      write();
    });
    await sharing(
      origin,
      {},
      async (edge) => {
        const socket = connect(edge.port, '127.0.0.1');
        socket.write('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n');
        await once(socket, 'readable');
        expect((await entriesOf(edge, 1))[0]).to.include({ status: 200, complete: false });
        socket.destroy();
      },
      { parts },
    );
  });

  it('that send requests ahead are read no further than the next one', async () => {
    const { origin, held, holds } = await heldOrigin();
    await sharing(origin, {}, async (edge) => {
      const socket = connect(edge.port, '127.0.0.1').setEncoding('latin1');
      let text = '';
      socket.on('data', (part: string) => (text += part));
      const one = `GET / HTTP/1.1\r\nHost: a.example\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
      // More than the kernel takes.
      socket.write(one.repeat(600));
      await holds(1);
      expect(await still(() => socket.writableLength)).to.be.greaterThan(0);
      for (let answered = 0; answered < 20; answered += 1) {
        await holds(answered + 1);
        held[answered]?.end();
      }
      await until(() => statusesIn(text).length === 20);
      socket.destroy();
    });
  });
});
