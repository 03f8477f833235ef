import { connect } from 'node:net';
import type { LoadBalancer, OriginServer } from '@zonewright/edge-protocol';
import { expect } from 'chai';
import { connectionLimits } from '../../src/framing/http-server.ts';
import type { ProxyParts } from '../../src/proxying/open-proxy.ts';
import { certificateFor } from '../support/certificate.ts';
import { ask, entriesOf, openEdge, raw, statusesIn, type TestEdge, type TestSettings } from '../support/edge.ts';
import { httpOrigin, httpsOrigin, rawOrigin, streamingOrigin, type TestOrigin } from '../support/origin.ts';
import { type EdgeDraft, originOn, servedZone } from '../support/zones.ts';

const balancer = (method: string, ...servers: readonly OriginServer[]): EdgeDraft => {
  const origins = servers.map(({ id }) => ({ originServer: `/api/organizations/1/origin-servers/${id}` }));
  const one: LoadBalancer = { kind: 'load_balancer', id: 'balancer', method, origins };
  return {
    settings: { defaultBackend: { type: 'load_balancer', id: 'balancer' } },
    backends: [...servers, one],
  };
};

/** Runs a test with an edge; it ends with it, as the origins do. */
async function withEdge(
  origins: readonly TestOrigin[],
  draft: EdgeDraft,
  work: (edge: TestEdge) => Promise<void>,
  settings: TestSettings = {},
  parts: Partial<ProxyParts> = {},
): Promise<void> {
  const edge = await openEdge([servedZone(draft)], settings, parts);
  try {
    await work(edge);
  } finally {
    await edge.close(0);
    await Promise.all(origins.map((origin) => origin.close()));
  }
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const origin = await httpOrigin();
  await origin.close();
  return origin.port;
}

const quick = { originLimits: { connectSeconds: 1, headSeconds: 1, bodySeconds: 1 } };

describe('Origins by TLS', () => {
  const certificate = certificateFor('DNS:a.example', 'DNS:origin.example');
  const ofAddress = certificateFor('IP:127.0.0.1');

  const statusWith = async (
    { key, cert }: ReturnType<typeof certificateFor>,
    server: Partial<OriginServer>,
    authorities: string | undefined = cert,
  ) => {
    const origin = await httpsOrigin({ key, cert });
    const draft = { backends: [originOn(origin.port, { protocol: 'https', ...server })] };
    let status = 0;
    const parts = authorities === '' ? {} : { authorities };
    await withEdge([origin], draft, async (edge) => void ({ status } = await ask(edge)), {}, parts);
    return status;
  };

  it('have a certificate for the host that they are asked for, or for their address', async () => {
    expect(await statusWith(certificate, {})).to.equal(200);
    expect(await statusWith(certificate, { requestHostname: 'origin.example' })).to.equal(200);
    expect(await statusWith(ofAddress, {})).to.equal(200);
  });

  it('are refused with a certificate for others, or by nobody that is trusted', async () => {
    expect(await statusWith(certificate, { requestHostname: 'other.example' })).to.equal(502);
    expect(await statusWith(certificate, {}, '')).to.equal(502);
    expect(await statusWith(certificate, {}, ofAddress.cert)).to.equal(502);
  });
});

describe('Addresses of origins', () => {
  const statusIn = async (address: string, originNetworks: readonly string[]) => {
    const origin = await httpOrigin();
    const draft = { backends: [originOn(origin.port, { address })] };
    let result: readonly [number, number] = [0, 0];
    const work = async (edge: TestEdge) => void (result = [(await ask(edge)).status, origin.received.length]);
    await withEdge([origin], draft, work, { originNetworks }, quick);
    return result;
  };

  it('are refused in networks that are not public, written or resolved', async () => {
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      'localhost',
      '169.254.169.254',
      '10.0.0.1',
      '192.0.2.1',
    ]) {
      expect(await statusIn(address, []), address).to.deep.equal([502, 0]);
    }
    expect(await statusIn('127.0.0.1', ['10.0.0.0/8'])).to.deep.equal([502, 0]);
  });

  it('are allowed in the networks of the operator', async () => {
    expect(await statusIn('127.0.0.1', ['127.0.0.0/8'])).to.deep.equal([200, 1]);
    expect(await statusIn('localhost', ['127.0.0.0/8'])).to.deep.equal([200, 1]);
  });

  it('that are none are no answer, also of a second server', async () => {
    const second = originOn(80, { id: 'second', address: 'a b' });
    await withEdge([], balancer('round_robin', originOn(await closedPort()), second), async (edge) => {
      expect((await ask(edge)).status).to.equal(502);
      expect((await entriesOf(edge, 1))[0]).to.include({ attempts: 2 });
    });
  });

  it('that refuse connections, or are refused, are no answer to OPTIONS * either', async () => {
    const options = 'OPTIONS * HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n';
    for (const server of [originOn(await closedPort()), originOn(80, { address: '10.0.0.1' })]) {
      await withEdge([], { backends: [server] }, async (edge) => {
        expect(statusesIn(await raw(edge, options))).to.deep.equal([502]);
      });
    }
  });

  it('that do not resolve are no answer', async () => {
    expect(await statusIn('no-such-name.invalid', [])).to.deep.equal([502, 0]);
  });
});

describe('Origins that fail', () => {
  it('are left out while they refuse connections', async () => {
    const origin = await httpOrigin();
    const servers = [originOn(await closedPort(), { id: 'dead' }), originOn(origin.port, { id: 'alive' })];
    await withEdge([origin], balancer('round_robin', ...servers), async (edge) => {
      for (let count = 0; count < 6; count += 1) expect((await ask(edge)).status).to.equal(200);
      expect((await entriesOf(edge, 6)).map(({ attempts }) => attempts)).to.deep.equal([2, 1, 1, 1, 1, 1]);
      expect((await entriesOf(edge, 1))[0]).to.include({ origin: 'alive', failure: 'ECONNREFUSED' });
    });
  });

  it('are replaced once, for idempotent methods only', async () => {
    const dead = await Promise.all(['1', '2', '3'].map(async (id) => originOn(await closedPort(), { id })));
    await withEdge([], balancer('random', ...dead), async (edge) => {
      expect((await ask(edge)).status).to.equal(502);
      expect((await ask(edge, '/', { method: 'POST', body: 'x' })).status).to.equal(502);
      expect((await ask(edge, '/', { method: 'PUT', body: 'x' })).status).to.equal(502);
      expect((await entriesOf(edge, 3)).map(({ attempts }) => attempts)).to.deep.equal([2, 1, 2]);
    });
  });

  it('are replaced when they hang up before the first byte, but not after it', async () => {
    const mute = await rawOrigin((socket) => socket.once('data', () => socket.destroy()));
    const broken = await rawOrigin((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort')),
    );
    const origin = await httpOrigin();
    const draft = balancer('round_robin', originOn(mute.port, { id: 'mute' }), originOn(origin.port, { id: 'ok' }));
    await withEdge([mute, origin], draft, async (edge) => {
      expect((await ask(edge)).status).to.equal(200);
      expect((await ask(edge, '/', { method: 'POST', body: 'x' })).status).to.be.oneOf([200, 502]);
      expect((await entriesOf(edge, 1))[0]).to.include({ attempts: 2, origin: 'ok' });
    });
    await withEdge([broken], { backends: [originOn(broken.port)] }, async (edge) => {
      const error = await ask(edge).catch((thrown: Error) => thrown);
      expect(error).to.be.instanceOf(Error);
      expect((await entriesOf(edge, 1))[0]).to.include({ status: 200, complete: false, attempts: 1 });
    });
  });

  it('never get a body twice', async () => {
    const mute = await rawOrigin((socket) =>
      socket.on('data', (part) => String(part).endsWith('x') && socket.destroy()),
    );
    const servers = [originOn(mute.port, { id: '1' }), originOn(mute.port, { id: '2' })];
    await withEdge([mute], balancer('random', ...servers), async (edge) => {
      expect((await ask(edge, '/', { method: 'PUT', body: 'x' })).status).to.equal(502);
      expect((await entriesOf(edge, 1))[0]).to.include({ attempts: 1 });
    });
  });

  it('are asked again when a connection that was kept alive ends', async () => {
    const origin = await rawOrigin((socket) => {
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        else socket.destroy();
      });
    });
    await withEdge([origin], { backends: [originOn(origin.port)] }, async (edge) => {
      for (let count = 0; count < 4; count += 1) expect((await ask(edge)).status).to.equal(200);
    });
  });

  it('get 504 when they take too long, and cut answers that stall', async () => {
    const silent = await rawOrigin(() => undefined);
    await withEdge(
      [silent],
      { backends: [originOn(silent.port)] },
      async (edge) => {
        expect((await ask(edge)).status).to.equal(504);
        expect((await entriesOf(edge, 1))[0]).to.include({ failure: 'UND_ERR_HEADERS_TIMEOUT' });
      },
      {},
      quick,
    );
    const stalling = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'));
    await withEdge(
      [stalling],
      { backends: [originOn(stalling.port)] },
      async (edge) => void expect(await ask(edge).catch((thrown: Error) => thrown)).to.be.instanceOf(Error),
      {},
      quick,
    );
  });

  const wrong: Readonly<Record<string, string>> = {
    'no HTTP': 'hello\r\n\r\n',
    'a length and a coding': 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
    'another coding': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    'a folded line': 'HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 0\r\n\r\n',
    'a huge header': `HTTP/1.1 200 OK\r\nX-A: ${'b'.repeat(70_000)}\r\n\r\n`,
    'an answer to an upgrade that nobody asked for':
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  };
  for (const [what, bytes] of Object.entries(wrong)) {
    it(`are no answer: ${what}`, async () => {
      const origin = await rawOrigin((socket) => socket.once('data', () => socket.end(bytes)));
      await withEdge([origin], { backends: [originOn(origin.port)] }, async (edge) => {
        const { status, text } = await ask(edge);
        expect([status, text.includes('site cannot be reached')]).to.deep.equal([502, true]);
        const options = 'OPTIONS * HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n';
        expect(statusesIn(await raw(edge, options)), 'OPTIONS *').to.deep.equal([502]);
      });
    });
  }

  it('may send interim answers, except the one that nobody asks for', async () => {
    for (const [interim, status] of [
      ['103 Early Hints', 200],
      ['100 Continue', 502],
    ] as const) {
      const bytes = `HTTP/1.1 ${interim}\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`;
      const origin = await rawOrigin((socket) => socket.once('data', () => socket.write(bytes)));
      await withEdge([origin], { backends: [originOn(origin.port)] }, async (edge) => {
        expect((await ask(edge)).status, interim).to.equal(status);
      });
    }
  });

  it('that send more than they announce do not reach the next request', async () => {
    const origin = await rawOrigin((socket) =>
      socket.on('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'),
      ),
    );
    await withEdge([origin], { backends: [originOn(origin.port)] }, async (edge) => {
      for (let count = 0; count < 3; count += 1) expect((await ask(edge)).text).to.equal('ok');
    });
  });

  it('that take no such body answer before it has come, and the connection of the client ends then', async () => {
    const origin = await streamingOrigin((_, response) =>
      response.writeHead(413, { Connection: 'close', 'Content-Length': '8' }).end('too long'),
    );
    await withEdge([origin], { backends: [originOn(origin.port)] }, async (edge) => {
      const head = 'POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1000000\r\n\r\n';
      const text = await raw(edge, `${head}${'x'.repeat(1000)}`);
      expect(statusesIn(text)).to.deep.equal([413]);
      expect(text)
        .to.match(/too long$/)
        .and.to.match(/connection: close/i);
    });
  });
});

describe('Clients that stall', () => {
  const parts = { connectionLimits: { ...connectionLimits, headSeconds: 0.2, idleSeconds: 1 } };

  it('get 408 within a header, and are cut off within a body', async () => {
    const origin = await httpOrigin();
    const work = async (edge: TestEdge) => {
      const [inHeader, inBody] = await Promise.all([
        raw(edge, 'GET / HTTP/1.1\r\nHost: a.ex'),
        raw(edge, 'POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 9\r\n\r\nabc'),
      ]);
      expect(statusesIn(inHeader)).to.deep.equal([408]);
      expect(inBody).to.equal('');
      expect((await ask(edge)).status).to.equal(200);
    };
    await withEdge([origin], { backends: [originOn(origin.port)] }, work, {}, parts);
  });

  it('free the connection of the origin when they leave within a body', async () => {
    let begun: (closed: Promise<unknown>) => void = () => undefined;
    const asked = new Promise<{ closed: Promise<unknown> }>((resolve) => (begun = (closed) => resolve({ closed })));
    const origin = await streamingOrigin((request) =>
      begun(new Promise((resolve) => request.on('error', () => undefined).on('close', resolve))),
    );
    await withEdge([origin], { backends: [originOn(origin.port)] }, async (edge) => {
      const socket = connect(edge.port, '127.0.0.1');
      socket.write('POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 100000\r\n\r\nabc');
      const { closed } = await asked;
      socket.destroy();
      await closed;
      expect((await entriesOf(edge, 1))[0]).to.include({ status: 0, complete: false });
    });
  });
});
