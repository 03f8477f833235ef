import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { proxyHeaderIn } from '../../src/framing/proxy-header.ts';
import { ask, entriesOf, openEdge, raw, statusesIn, type TestEdge, type TestSettings } from '../support/edge.ts';
import { httpOrigin, type TestOrigin } from '../support/origin.ts';
import { originOn, servedZone } from '../support/zones.ts';

async function withEdge(
  settings: TestSettings,
  work: (edge: TestEdge, origin: TestOrigin) => Promise<void>,
): Promise<void> {
  const origin = await httpOrigin();
  const edge = await openEdge([servedZone({ backends: [originOn(origin.port)] })], settings);
  try {
    await work(edge, origin);
  } finally {
    await edge.close(0);
    await origin.close();
  }
}

describe('Clients behind trusted proxies', () => {
  const forwarded = async (trustedProxies: readonly string[], headers: Readonly<Record<string, string>>) => {
    let result: readonly unknown[] = [];
    await withEdge({ trustedProxies }, async (edge, origin) => {
      await ask(edge, '/', { headers });
      const fields = origin.received[0]?.headers;
      result = [fields?.['x-forwarded-for'], fields?.['x-forwarded-proto']];
    });
    return result;
  };

  it('are believed as far as trusted proxies report them', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.1, 10.0.0.1', 'X-Forwarded-Proto': 'https' };
    expect(await forwarded([], headers)).to.deep.equal(['127.0.0.1', 'http']);
    expect(await forwarded(['127.0.0.1'], headers)).to.deep.equal(['192.0.2.1, 10.0.0.1, 127.0.0.1', 'https']);
    expect(await forwarded(['127.0.0.0/8'], { 'X-Forwarded-Proto': 'gopher' })).to.deep.equal(['127.0.0.1', 'http']);
  });

  it('are those that rules see', async () => {
    const origin = await httpOrigin();
    const zone = servedZone({
      access: [
        {
          conditions: {
            logic: 'or',
            conditions: [{ field: 'ip', operator: 'in', value: '192.0.2.0/24\n2001:db8::/32' }],
          },
          action: 'block',
        },
      ],
      backends: [originOn(origin.port)],
    });
    const edge = await openEdge([zone], { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
    const statusOf = async (value: string) => (await ask(edge, '/', { headers: { 'X-Forwarded-For': value } })).status;
    expect(await statusOf('192.0.2.1')).to.equal(403);
    expect(await statusOf('192.0.2.1:4711')).to.equal(403);
    expect(await statusOf('[2001:DB8::1]:4711')).to.equal(403);
    expect(await statusOf('::ffff:192.0.2.1')).to.equal(403);
    expect(await statusOf('192.0.2.1, 10.0.0.9')).to.equal(403);
    expect(await statusOf('192.0.2.1, 198.51.100.1')).to.equal(200);
    expect(await statusOf('192.0.2.1, unknown')).to.equal(200);
    expect(await statusOf('')).to.equal(200);
    await edge.close(0);
    await origin.close();
  });
});

describe('The PROXY protocol', () => {
  const signature = '\r\n\r\n\0\r\nQUIT\n';
  const ipv4 = '\xc0\x00\x02\x01\x7f\x00\x00\x01\x12\x34\x01\xbb';
  const length = (bytes: string) => String.fromCharCode(bytes.length >> 8, bytes.length & 0xff);
  const version2 = (command: string, family: string, rest: string) =>
    `${signature}${command}${family}${length(rest)}${rest}`;
  const headers: Readonly<Record<string, readonly [bytes: string, address: string, scheme: string]>> = {
    'version 1': ['PROXY TCP4 192.0.2.1 127.0.0.1 4711 443\r\n', '192.0.2.1', 'http'],
    'version 1 with IPv6': ['PROXY TCP6 2001:DB8::1 ::1 4711 443\r\n', '2001:db8::1', 'http'],
    'version 1 without an address': ['PROXY UNKNOWN\r\n', '127.0.0.1', 'http'],
    'version 2': [version2('\x21', '\x11', ipv4), '192.0.2.1', 'http'],
    'version 2 with IPv6': [
      version2('\x21', '\x21', `\x20\x01\x0d\xb8${'\0'.repeat(11)}\x01${'\0'.repeat(20)}`),
      '2001:db8::1',
      'http',
    ],
    'version 2 with TLS': [
      version2('\x21', '\x11', `${ipv4}\x03\x00\x04abcd\x20\x00\x05\x01\0\0\0\0`),
      '192.0.2.1',
      'https',
    ],
    'version 2 of the proxy itself': [version2('\x20', '\x00', ''), '127.0.0.1', 'http'],
  };
  const request = 'GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n';

  for (const [what, [bytes, address, scheme]] of Object.entries(headers)) {
    it(`says who the client is: ${what}`, () =>
      withEdge({ proxyProtocol: true }, async (edge, origin) => {
        expect(statusesIn(await raw(edge, bytes + request))).to.deep.equal([200]);
        const fields = origin.received[0]?.headers;
        expect([fields?.['x-forwarded-for'], fields?.['x-forwarded-proto']]).to.deep.equal([address, scheme]);
      }));

    it(`is read in any pieces: ${what}`, () => {
      const whole = Buffer.from(bytes, 'latin1');
      for (let end = 0; end < whole.length; end += 1) {
        expect(proxyHeaderIn(whole.subarray(0, end)), `${end}`).to.equal('incomplete');
      }
      expect(proxyHeaderIn(Buffer.concat([whole, Buffer.from('more')]))).to.include({ bytes: whole.length });
    });
  }

  it('is read byte by byte, with requests in a row behind it', () =>
    withEdge({ proxyProtocol: true }, async (edge) => {
      const socket = connect(edge.port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
      let text = '';
      socket.on('data', (part: string) => (text += part));
      for (const byte of headers['version 1']?.[0] ?? '') {
        socket.write(byte, 'latin1');
        await new Promise((resolve) => setImmediate(resolve));
      }
      socket.write(request.replace('Connection: close\r\n', '') + request);
      await once(socket, 'close');
      expect(statusesIn(text)).to.deep.equal([200, 200]);
      expect((await entriesOf(edge, 2)).length).to.equal(2);
    }));

  it('is believed of trusted proxies alone, if any are named', async () => {
    const bytes = `${headers['version 1']?.[0]}${request}`;
    for (const [trusted, statuses] of [
      ['127.0.0.0/8', [200]],
      ['10.0.0.0/8', []],
    ] as const) {
      await withEdge({ proxyProtocol: true, trustedProxies: [trusted] }, async (edge) => {
        expect(statusesIn(await raw(edge, bytes))).to.deep.equal(statuses);
      });
    }
  });

  it('is demanded of every connection', () =>
    withEdge({ proxyProtocol: true }, async (edge) => {
      const wrong = [
        request,
        'PROXY TCP4 192.0.2.1\r\n',
        `PROXY ${'x'.repeat(200)}`,
        'PROXY TCP9 192.0.2.1 127.0.0.1 1 2\r\n',
        `${signature}\x11\x11${length(ipv4)}${ipv4}`,
        version2('\x22', '\x11', ipv4),
        version2('\x21', '\x11', 'short'),
        `${signature}\x21\x11\xff\xff`,
      ];
      for (const bytes of wrong) expect(await raw(edge, bytes + request), JSON.stringify(bytes)).to.equal('');
      const address = 'PROXY TCP4 not-an-address 127.0.0.1 1 2\r\n';
      expect(await raw(edge, address + request)).to.equal('');
      const entries = await entriesOf(edge, wrong.length + 1);
      for (const each of entries) expect(each).to.include({ disposition: 'unparsed', status: 0 });
    }));
});
