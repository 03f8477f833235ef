import { expect } from 'chai';
import * as fc from 'fast-check';
import { type IpAddress, isRefusedAddress, parseIpAddress } from '../../src/index.ts';
import { okOf } from '../outcomes.ts';

const isRefused = (text: string) => isRefusedAddress(okOf(parseIpAddress(text)));

/** First and last address of each refused range, with its neighbours if those are allowed. */
const ranges: readonly (readonly [
  first: string,
  last: string,
  before: string | undefined,
  after: string | undefined,
])[] = [
  ['0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::1', '2001:1::'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255', undefined],
  ['240.0.0.0', '255.255.255.255', undefined, undefined],
  ['::', '::1', undefined, undefined],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fbff:ffff::1', 'fe00::'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe7f:ffff::1', undefined],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '64:ff9b:0:ffff::1', '64:ff9b:2::'],
];

/** IPv6 addresses that embed the IPv4 address. */
const carriers: readonly (readonly [what: string, carry: (ipv4: string) => string])[] = [
  ['IPv4-mapped', (ipv4) => `::ffff:${ipv4}`],
  ['IPv4-compatible', (ipv4) => `::${ipv4}`],
  ['IPv4-translated', (ipv4) => `::ffff:0:${ipv4}`],
  ['NAT64', (ipv4) => `64:ff9b::${ipv4}`],
  ['6to4', (ipv4) => `2002:${hex(ipv4)}::1`],
  ['6to4 with all bits behind', (ipv4) => `2002:${hex(ipv4)}:ffff:ffff:ffff:ffff:ffff`],
];

function hex(ipv4: string): string {
  const [a, b, c, d] = ipv4.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'));
  return `${a}${b}:${c}${d}`;
}

describe('isRefusedAddress', () => {
  for (const [first, last, before, after] of ranges) {
    it(`refuses ${first} to ${last}, but not their neighbours`, () => {
      expect([first, last].map(isRefused)).to.deep.equal([true, true]);
      const around = [before, after].filter((address) => address !== undefined);
      expect(around.filter(isRefused)).to.deep.equal([]);
    });
  }

  for (const [what, carry] of carriers) {
    it(`refuses exactly those ${what} addresses that embed a refused IPv4 address`, () => {
      const address = (bits: number): string => [24, 16, 8, 0].map((behind) => (bits >>> behind) & 255).join('.');
      fc.assert(
        fc.property(fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), privateBits), (bits) => {
          expect(isRefused(carry(address(bits)))).to.equal(isRefused(address(bits)));
        }),
      );
      expect(isRefused(carry('10.1.2.3'))).to.equal(true);
      expect(isRefused(carry('8.8.8.8'))).to.equal(false);
    });
  }

  it('accepts ordinary addresses, including documentation ranges', () => {
    const ordinary = ['8.8.8.8', '192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '2a00:1450:4001::200e'];
    expect(ordinary.filter(isRefused)).to.deep.equal([]);
  });

  it('decides on every address', () => {
    const any: fc.Arbitrary<IpAddress> = fc.oneof(
      fc.record({ family: fc.constant(4 as const), bits: fc.bigInt(0n, 2n ** 32n - 1n) }),
      fc.record({ family: fc.constant(6 as const), bits: fc.bigInt(0n, 2n ** 128n - 1n) }),
    );
    fc.assert(fc.property(any, (address) => typeof isRefusedAddress(address) === 'boolean'));
  });
});

/** Random numbers alone would hardly ever be private addresses. */
const privateBits = fc
  .tuple(
    fc.constantFrom(0x0a00_0000, 0x7f00_0000, 0xa9fe_0000, 0xac10_0000, 0xc000_0000, 0xc0a8_0000, 0xc612_0000),
    fc.nat(0xffff),
  )
  .map(([network, host]) => (network | host) >>> 0);
