import { expect } from 'chai';
import { clientNetwork, type IncomingConnection, trustedProxyList } from '../../src/http/client-address.ts';

const arrival = (remoteAddress: string | undefined, forwardedFor?: string): IncomingConnection => ({
  socket: { remoteAddress },
  headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
});

const none = trustedProxyList([]);
const proxies = trustedProxyList(['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48', '::1']);

describe('clientNetwork', () => {
  describe('without trusted proxies', () => {
    const cases: readonly (readonly [socket: string | undefined, network: string])[] = [
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::FFFF:cb00:7107', '203.0.113.7'],
      ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
      ['::ffff:0:1', '0.0.0.1'],
      ['::ffff:255.255.255.255', '255.255.255.255'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:DB8:0001:0002::6', '2001:db8:1:2::/64'],
      ['2001:db8:1::', '2001:db8:1::/64'],
      ['2001:db8::1', '2001:db8::/64'],
      ['2001:0:0:1::1', '2001:0:0:1::/64'],
      ['1::2:0:0:0:3', '1:0:0:2::/64'],
      ['1:2:3:4:5::', '1:2:3:4::/64'],
      ['::1', '::/64'],
      ['64:ff9b::203.0.113.7', '64:ff9b::/64'],
      ['fe80::1%eth0', 'fe80::/64'],
      [undefined, 'unknown'],
      ['', 'unknown'],
      ['no address', 'unknown'],
    ];
    for (const [socket, network] of cases) {
      it(`maps ${socket} to ${network}, whatever X-Forwarded-For says`, () => {
        expect(clientNetwork(arrival(socket), none)).to.equal(network);
        expect(clientNetwork(arrival(socket, '198.51.100.1'), none)).to.equal(network);
      });
    }
  });

  describe('with trusted proxies', () => {
    const cases: readonly (readonly [
      why: string,
      socket: string | undefined,
      header: string | undefined,
      is: string,
    ])[] = [
      ['ignores the header of an untrusted peer', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
      ['takes the only hop', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
      ['takes the last hop, not what the client claims before it', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
      [
        'is not misled by a proxy address that a client claims',
        '10.0.0.1',
        '8.8.8.8, 10.0.0.2, 198.51.100.1',
        '198.51.100.1',
      ],
      ['skips trusted hops', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.2.3.4, 192.0.2.7', '198.51.100.1'],
      ['takes the proxy when there is no header', '10.0.0.1', undefined, '10.0.0.1'],
      ['takes the proxy when the header is empty', '10.0.0.1', '', '10.0.0.1'],
      ['takes the first hop when all are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
      ['stops before garbage at the end', '10.0.0.1', '198.51.100.1, garbage', '10.0.0.1'],
      ['stops before garbage after a trusted hop', '10.0.0.1', '198.51.100.1, garbage, 10.0.0.2', '10.0.0.2'],
      ['does not read past an untrusted hop into garbage', '10.0.0.1', 'garbage, 198.51.100.1', '198.51.100.1'],
      ['stops before an empty entry', '10.0.0.1', '198.51.100.1,,10.0.0.2', '10.0.0.2'],
      ['stops before "unknown"', '10.0.0.1', 'unknown', '10.0.0.1'],
      ['stops before an octet with a leading zero', '10.0.0.1', '198.51.100.01', '10.0.0.1'],
      ['stops before an entry of endless length', '10.0.0.1', '1'.repeat(10_000), '10.0.0.1'],
      ['reads an IPv4 hop with a port', '10.0.0.1', '198.51.100.1:50123', '198.51.100.1'],
      ['reads an IPv6 hop with a port', '10.0.0.1', '[2001:db8:1:2::3]:50123', '2001:db8:1:2::/64'],
      ['reads an IPv6 hop in brackets', '10.0.0.1', '[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
      ['reads a bare IPv6 hop', '10.0.0.1', '2001:db8:1:2::3', '2001:db8:1:2::/64'],
      ['reads a mapped hop', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
      ['skips a mapped trusted hop', '10.0.0.1', '198.51.100.1, ::ffff:10.9.9.9', '198.51.100.1'],
      ['recognizes a trusted proxy with a mapped address', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
      ['recognizes a trusted IPv6 network in any spelling', '2001:DB8:FFFF:0::9', '198.51.100.1', '198.51.100.1'],
      ['recognizes a trusted IPv6 address', '::1', '198.51.100.1', '198.51.100.1'],
      ['does not trust the neighbour of a trusted address', '192.0.2.8', '198.51.100.1', '192.0.2.8'],
      ['ignores the header without a socket address', undefined, '198.51.100.1', 'unknown'],
      ['allows tabs and missing blanks', '10.0.0.1', '1.1.1.1,\t198.51.100.1\t,10.0.0.2', '198.51.100.1'],
    ];
    for (const [why, socket, header, is] of cases) {
      it(why, () => {
        expect(clientNetwork(arrival(socket, header), proxies)).to.equal(is);
      });
    }
  });

  it('maps all addresses of a /64 network to the same name, and those of the next one to another', () => {
    const names = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:3::1'].map((address) =>
      clientNetwork(arrival(address), none),
    );
    expect(names).to.deep.equal(['2001:db8:1:2::/64', '2001:db8:1:2::/64', '2001:db8:1:3::/64']);
  });
});

describe('trustedProxyList', () => {
  const cases: readonly (readonly [network: string, inside: string, outside: string])[] = [
    ['10.0.0.0/8', '10.255.255.255', '11.0.0.0'],
    ['10.1.2.3/8', '10.9.9.9', '11.0.0.0'],
    ['192.0.2.7', '192.0.2.7', '192.0.2.8'],
    ['192.0.2.7/32', '192.0.2.7', '192.0.2.8'],
    ['2001:db8::/32', '2001:db8:ffff::1', '2001:db9::1'],
    ['::1/128', '::1', '::2'],
    ['::ffff:10.0.0.0/104', '10.1.1.1', '11.1.1.1'],
  ];
  for (const [network, inside, outside] of cases) {
    it(`trusts ${inside} but not ${outside} for ${network}`, () => {
      const trusted = trustedProxyList([network]);
      const seen = [inside, outside].map((proxy) => clientNetwork(arrival(proxy, '203.0.113.7'), trusted));
      expect(seen[0]).to.equal('203.0.113.7');
      expect(seen[1]).not.to.equal('203.0.113.7');
    });
  }

  it('trusts every IPv4 address for 0.0.0.0/0', () => {
    const seen = clientNetwork(arrival('198.51.100.1', '203.0.113.7, 9.9.9.9'), trustedProxyList(['0.0.0.0/0']));
    expect(seen).to.equal('203.0.113.7');
  });
});
