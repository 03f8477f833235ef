import { expect } from 'chai';
import * as fc from 'fast-check';
import { parse } from '../../../src/kernel/shared/parse.ts';
import {
  addressKey,
  BackendAddress,
  backendAddressIn,
  OptionalRequestHostname,
  originNetworksIn,
} from '../../../src/organizations/backends/address.ts';

/** The parsed value, or the codes of its violations. */
const read = (text: unknown) =>
  parse(BackendAddress, text).match(
    (address) => address as string,
    ({ violations }) => violations.map(({ code }) => code),
  );

const label63 = 'a'.repeat(63);
const longest = `${`${label63}.`.repeat(3)}${'b'.repeat(61)}`;

describe('BackendAddress', () => {
  const accepted: readonly (readonly [written: string, kept: string])[] = [
    ['origin.example.net', 'origin.example.net'],
    ['Origin.Example.NET', 'Origin.Example.NET'],
    ['origin.example.net.', 'origin.example.net'],
    ['a.b', 'a.b'],
    ['3com.example', '3com.example'],
    ['1.2.3.4.example', '1.2.3.4.example'],
    ['0x7f.example', '0x7f.example'],
    ['x--y.xn--bcher-kva.example', 'x--y.xn--bcher-kva.example'],
    ['example.1a', 'example.1a'],
    ['example.0xg', 'example.0xg'],
    ['localhost.example.net', 'localhost.example.net'],
    ['not.notlocalhost', 'not.notlocalhost'],
    ['internal.example.net', 'internal.example.net'],
    ['local.svc.example.net', 'local.svc.example.net'],
    ['arpa.example', 'arpa.example'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    [`${label63}.example`, `${label63}.example`],
    [longest, longest],
    ['8.8.8.8', '8.8.8.8'],
    ['2001:DB8::00A', '2001:DB8::00A'],
    ['::ffff:8.8.8.8', '::ffff:8.8.8.8'],
  ];
  for (const [written, kept] of accepted) {
    it(`accepts ${written.slice(0, 40)}${written === kept ? '' : ` as ${kept}`}`, () => {
      expect(read(written)).to.equal(kept);
    });
  }

  const refused: readonly (readonly [written: unknown, code: string])[] = [
    ['', 'text.tooShort'],
    ['.', 'text.tooShort'],
    [`${longest}x`, 'text.tooLong'],
    [7, 'member.type'],
    [null, 'member.type'],
    [undefined, 'member.required'],
    ['origin.example.net..', 'backend.address.syntax'],
    ['.example.net', 'backend.address.syntax'],
    ['a..b', 'backend.address.syntax'],
    ['-a.example', 'backend.address.syntax'],
    ['a-.example', 'backend.address.syntax'],
    ['a_b.example', 'backend.address.syntax'],
    [`${label63}a.example`, 'backend.address.syntax'],
    ['*.example.net', 'backend.address.syntax'],
    ['https://origin.example.net', 'backend.address.syntax'],
    ['origin.example.net/path', 'backend.address.syntax'],
    ['origin.example.net:443', 'backend.address.syntax'],
    ['user@origin.example.net', 'backend.address.syntax'],
    ['bücher.example', 'backend.address.syntax'],
    ['origin.example.net\n', 'backend.address.syntax'],
    [' origin.example.net', 'backend.address.syntax'],
    ['127.1', 'backend.address.syntax'],
    ['0x7f.1', 'backend.address.syntax'],
    ['0x7F000001', 'backend.address.syntax'],
    ['0X7f.1.', 'backend.address.syntax'],
    ['example.0x', 'backend.address.syntax'],
    ['2130706433', 'backend.address.syntax'],
    ['0177.0.0.1', 'backend.address.syntax'],
    ['256.1.1.1', 'backend.address.syntax'],
    ['1.2.3', 'backend.address.syntax'],
    ['example.1', 'backend.address.syntax'],
    ['127.1.', 'backend.address.syntax'],
    ['[2001:db8::1]', 'backend.address.syntax'],
    ['2001:db8::1%eth0', 'backend.address.syntax'],
    ['2001:db8::/32', 'backend.address.syntax'],
    ['8.8.8.8/32', 'backend.address.syntax'],
    ['localhost', 'backend.address.forbidden'],
    ['LOCALHOST', 'backend.address.forbidden'],
    ['localhost.', 'backend.address.forbidden'],
    ['db.LocalHost', 'backend.address.forbidden'],
    ['backend', 'backend.address.forbidden'],
    ['a', 'backend.address.forbidden'],
    ['0xg.', 'backend.address.forbidden'],
    ['metadata.google.internal', 'backend.address.forbidden'],
    ['Metadata.Google.Internal.', 'backend.address.forbidden'],
    ['db.internal', 'backend.address.forbidden'],
    ['printer.local', 'backend.address.forbidden'],
    ['printer.LOCAL.', 'backend.address.forbidden'],
    ['kubernetes.default.svc', 'backend.address.forbidden'],
    ['kubernetes.default.svc.cluster.local', 'backend.address.forbidden'],
    ['router.home.arpa', 'backend.address.forbidden'],
    ['HOME.ARPA', 'backend.address.forbidden'],
    ['192.0.0.192', 'backend.address.forbidden'],
    ['198.18.0.1', 'backend.address.forbidden'],
    ['168.63.129.16', 'backend.address.forbidden'],
    ['100.64.0.1', 'backend.address.forbidden'],
    ['0.1.2.3', 'backend.address.forbidden'],
    ['2001::1', 'backend.address.forbidden'],
    ['::ffff:0:127.0.0.1', 'backend.address.forbidden'],
    ['::7f00:1', 'backend.address.forbidden'],
    ['127.0.0.1', 'backend.address.forbidden'],
    ['10.0.0.1', 'backend.address.forbidden'],
    ['169.254.169.254', 'backend.address.forbidden'],
    ['::', 'backend.address.forbidden'],
    ['0:0:0:0:0:0:0:1', 'backend.address.forbidden'],
    ['::ffff:127.0.0.1', 'backend.address.forbidden'],
    ['::ffff:7f00:1', 'backend.address.forbidden'],
    ['64:ff9b::7f00:1', 'backend.address.forbidden'],
    ['2002:7f00:1::', 'backend.address.forbidden'],
    ['FD00::1', 'backend.address.forbidden'],
    ['127.0.0.1.', 'backend.address.forbidden'],
  ];
  for (const [written, code] of refused) {
    it(`refuses ${JSON.stringify(written)?.slice(0, 40)}: ${code}`, () => {
      expect(read(written)).to.deep.equal([code]);
    });
  }

  it('accepts its own output unchanged', () => {
    const almost = fc.string({ unit: fc.constantFrom(...'0129afxX.-:lo%[]'.split('')), maxLength: 40 });
    fc.assert(
      fc.property(almost, (text) => {
        const kept = read(text);
        if (typeof kept === 'string') expect(read(kept)).to.equal(kept);
      }),
    );
  });
});

describe('addressKey', () => {
  const same: readonly (readonly [one: string, other: string, key: string])[] = [
    ['Origin.Example.NET', 'origin.example.net.', 'origin.example.net'],
    ['2001:DB8:0:0::000A', '2001:db8::a', '2001:db8::a'],
    ['::ffff:8.8.8.8', '8.8.8.8', '8.8.8.8'],
  ];
  for (const [one, other, key] of same) {
    it(`is the same for ${one} and ${other}`, () => {
      expect([one, other].map((text) => addressKey(BackendAddress.parse(text)))).to.deep.equal([key, key]);
    });
  }
});

describe('OptionalRequestHostname', () => {
  const outcome = (value: unknown) =>
    parse(OptionalRequestHostname, value).match(
      (name) => name as string | undefined,
      ({ violations }) => violations.map(({ code }) => code),
    );
  const cases: readonly (readonly [written: unknown, expected: unknown])[] = [
    ['Shop.Example.com', 'Shop.Example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['localhost', 'localhost'],
    [null, undefined],
    [undefined, undefined],
    ['', ['text.tooShort']],
    [`${longest}x`, ['text.tooLong']],
    ['8.8.8.8', ['backend.hostname.syntax']],
    ['2001:db8::1', ['backend.hostname.syntax']],
    ['*.example.com', ['backend.hostname.syntax']],
    ['shop.example.com:8080', ['backend.hostname.syntax']],
    ['shop.example.com\r\nX: y', ['backend.hostname.syntax']],
    [7, ['member.type']],
  ];
  for (const [written, expected] of cases) {
    it(`reads ${JSON.stringify(written)?.slice(0, 40)} as ${JSON.stringify(expected)?.slice(0, 40)}`, () => {
      expect(outcome(written)).to.deep.equal(expected);
    });
  }
});

describe('backendAddressIn', () => {
  const allowed = originNetworksIn('10.1.0.0/16, fd00::/8,127.0.0.1') ?? [];
  const codesOf = (text: string) =>
    parse(backendAddressIn(allowed), text).match(
      () => [],
      ({ violations }) => violations.map(({ code }) => code),
    );

  it('allows what lies in the networks of the installation, and nothing else that is not public', () => {
    for (const address of ['10.1.255.255', '::ffff:10.1.2.3', 'fd00::1', '127.0.0.1', '203.0.113.7', 'a.example']) {
      expect(codesOf(address), address).to.deep.equal([]);
    }
    // NAT64 and 6to4 lead elsewhere than their text says.
    for (const address of ['10.2.0.1', '127.0.0.2', '::1', '64:ff9b::a01:203', '2002:a01:203::1', 'localhost']) {
      expect(codesOf(address), address).to.deep.equal(['backend.address.forbidden']);
    }
  });
});
