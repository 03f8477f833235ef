import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  type IpAddress,
  isDocumentationAddress,
  isRefusedAddress,
  parseIpAddress,
  parseIpRange,
} from '../../src/index.ts';
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
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::1', '2001:200::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::1', '2003::'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255', undefined],
  ['240.0.0.0', '255.255.255.255', undefined, undefined],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, '2000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::1', undefined],
];

describe('isRefusedAddress', () => {
  for (const [first, last, before, after] of ranges) {
    it(`refuses ${first} to ${last}, but not their neighbours`, () => {
      expect([first, last].map(isRefused)).to.deep.equal([true, true]);
      const around = [before, after].filter((address) => address !== undefined);
      expect(around.filter(isRefused)).to.deep.equal([]);
    });
  }

  it('refuses IPv4-mapped addresses like those that they embed', () => {
    expect(['::ffff:10.0.0.1', '::ffff:8.8.8.8'].map(isRefused)).to.deep.equal([true, false]);
  });

  it('refuses what leads to any IPv4 address, and networks of special purpose, in IPv6', () => {
    const special = [
      '64:ff9b::8.8.8.8',
      '64:ff9b:1::1',
      '::8.8.8.8',
      '2002:808:808::1',
      '100::1',
      '5f00::1',
      'fe80::1',
    ];
    expect(special.filter((text) => !isRefused(text))).to.deep.equal([]);
  });

  it('accepts ordinary addresses, including documentation ranges, which are told apart', () => {
    const documentation = ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1'];
    const ordinary = ['8.8.8.8', '2a00:1450:4001::200e', ...documentation];
    expect(ordinary.filter(isRefused)).to.deep.equal([]);
    expect(ordinary.filter((text) => isDocumentationAddress(okOf(parseIpAddress(text))))).to.deep.equal(documentation);
  });

  it('accepts what the operator allows', () => {
    const allowed = [okOf(parseIpRange('64:ff9b::/96')), okOf(parseIpRange('10.0.0.0/8'))];
    const of = (text: string) => isRefusedAddress(okOf(parseIpAddress(text)), allowed);
    expect(['64:ff9b::8.8.8.8', '10.1.2.3', '127.0.0.1'].map(of)).to.deep.equal([false, false, true]);
  });

  it('decides on every address', () => {
    const any: fc.Arbitrary<IpAddress> = fc.oneof(
      fc.record({ family: fc.constant(4 as const), bits: fc.bigInt(0n, 2n ** 32n - 1n) }),
      fc.record({ family: fc.constant(6 as const), bits: fc.bigInt(0n, 2n ** 128n - 1n) }),
    );
    fc.assert(fc.property(any, (address) => typeof isRefusedAddress(address) === 'boolean'));
  });
});
