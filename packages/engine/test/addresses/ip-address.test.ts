import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  formatIpAddress,
  formatIpRange,
  isInRange,
  malformedIp,
  parseIpAddress,
  parseIpRange,
} from '../../src/addresses/ip-address.ts';
import { errorOf, okOf } from '../outcomes.ts';

const canonicalAddress = (text: string) => {
  const parsed = parseIpAddress(text);
  return parsed.ok ? formatIpAddress(parsed.value) : `refused: ${parsed.error.reason}`;
};
const canonicalRange = (text: string) => {
  const parsed = parseIpRange(text);
  return parsed.ok ? formatIpRange(parsed.value) : `refused: ${parsed.error.reason}`;
};
const holds = (range: string, address: string) => isInRange(okOf(parseIpAddress(address)), okOf(parseIpRange(range)));

describe('parseIpAddress', () => {
  const accepted = [
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['192.0.2.10', '192.0.2.10'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8::ABCD', '2001:db8::abcd'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
    ['ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['::192.0.2.1', '::c000:201'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['::fffe:192.0.2.1', '::fffe:c000:201'],
    ['::1:ffff:192.0.2.1', '::1:ffff:c000:201'],
  ] as const;
  for (const [text, canonical] of accepted) {
    it(`reads ${text} as ${canonical}`, () => {
      expect(canonicalAddress(text)).to.equal(canonical);
    });
  }

  const refused = [
    '',
    ' 192.0.2.1',
    '192.0.2.1 ',
    '192.0.2',
    '192.0.2.1.1',
    '192.0.2.256',
    '192.0.02.1',
    '192.0.2.00',
    '192.0.2.-1',
    '192.0.2.1e1',
    '0x7f.0.0.1',
    '2130706433',
    '127.1',
    '192.0.2.1/32',
    ':',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    '1:2:3:4::5:6:7:8',
    '1::2::3',
    ':1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8:',
    '12345::',
    'g::',
    '::192.0.2.1:1',
    '192.0.2.1::',
    '::192.0.2.256',
    '::192.0.2',
    '1:2:3:4:5:6:7:192.0.2.1',
    '[::1]',
    `${'0'.repeat(46)}::`,
    '１.2.3.4',
  ];
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(errorOf(parseIpAddress(text))).to.deep.equal(malformedIp('address'));
    });
  }

  it('rejects zone ids with a separate reason', () => {
    expect(errorOf(parseIpAddress('fe80::1%eth0'))).to.deep.equal(malformedIp('zone'));
    expect(errorOf(parseIpRange('fe80::%1/64'))).to.deep.equal(malformedIp('zone'));
  });

  it('reads every canonical text back as the same address', () => {
    const address = fc.oneof(
      fc.record({ family: fc.constant(4 as const), bits: fc.bigInt(0n, 2n ** 32n - 1n) }),
      fc.record({ family: fc.constant(6 as const), bits: fc.bigInt(2n ** 64n, 2n ** 128n - 1n) }),
      fc.ipV6().map((text) => okOf(parseIpAddress(text))),
      fc.ipV4().map((text) => okOf(parseIpAddress(text))),
    );
    fc.assert(
      fc.property(address, (given) => {
        expect(okOf(parseIpAddress(formatIpAddress(given)))).to.deep.equal(given);
      }),
    );
  });

  it('never throws, whatever the text', () => {
    const almost = fc.string({ unit: fc.constantFrom(...'0123456789abcdefF:./%'.split('')), maxLength: 50 });
    fc.assert(fc.property(almost, (text) => typeof parseIpRange(text).ok === 'boolean'));
  });
});

describe('parseIpRange', () => {
  const accepted = [
    ['192.0.2.10', '192.0.2.10'],
    ['192.0.2.10/32', '192.0.2.10'],
    ['192.0.2.10/24', '192.0.2.0/24'],
    ['192.0.2.10/31', '192.0.2.10/31'],
    ['192.0.2.11/31', '192.0.2.10/31'],
    ['255.255.255.255/0', '0.0.0.0/0'],
    ['2001:DB8::1/128', '2001:db8::1'],
    ['2001:db8::1/64', '2001:db8::/64'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::1/0', '::/0'],
    ['::ffff:192.0.2.10', '192.0.2.10'],
    ['::ffff:192.0.2.10/128', '192.0.2.10'],
    ['::ffff:192.0.2.10/120', '192.0.2.0/24'],
    ['::ffff:192.0.2.10/96', '0.0.0.0/0'],
    ['::ffff:192.0.2.10/95', '::fffe:0:0/95'],
    ['::ffff:192.0.2.10/80', '::/80'],
  ] as const;
  for (const [text, canonical] of accepted) {
    it(`reads ${text} as ${canonical}`, () => {
      expect(canonicalRange(text)).to.equal(canonical);
      expect(canonicalRange(canonical)).to.equal(canonical);
    });
  }

  for (const text of [
    '192.0.2.0/33',
    '::/129',
    '::/',
    '::/01',
    '::/-1',
    '::/+1',
    '::/1 ',
    '::/1/2',
    '::/1e1',
    '::/1.0',
  ]) {
    it(`rejects the prefix of ${JSON.stringify(text)}`, () => {
      expect(canonicalRange(text)).to.equal('refused: prefix');
    });
  }

  for (const text of ['/8', '192.0.2/24', '192.0.2.0-192.0.2.9', '*/8']) {
    it(`rejects the address of ${JSON.stringify(text)}`, () => {
      expect(canonicalRange(text)).to.equal('refused: address');
    });
  }
});

describe('isInRange', () => {
  const rows = [
    ['10.0.0.0/8', '10.0.0.0', true],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '9.255.255.255', false],
    ['172.16.0.0/12', '172.31.255.255', true],
    ['172.16.0.0/12', '172.32.0.0', false],
    ['0.0.0.0/0', '203.0.113.7', true],
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['fe80::/10', 'febf:ffff::1', true],
    ['fe80::/10', 'fec0::', false],
    ['fc00::/7', 'fdff::1', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['::/0', '10.1.2.3', false],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '::1', true],
  ] as const;
  for (const [range, address, expected] of rows) {
    it(`is ${String(expected)} for ${address} in ${range}`, () => {
      expect(holds(range, address)).to.equal(expected);
    });
  }

  it('contains the address with which a range was written', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.integer({ min: 0, max: 128 }), (address, prefix) => {
        const isMappedAboveMapping = prefix < 96 && canonicalAddress(address).includes('.');
        expect(holds(`${address}/${prefix}`, address)).to.equal(!isMappedAboveMapping);
      }),
    );
  });
});
