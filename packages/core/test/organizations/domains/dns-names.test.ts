import { expect } from 'chai';
import { parse } from '../../../src/kernel/shared/parse.ts';
import {
  coveringNames,
  DomainName,
  HostName,
  HostNames,
  unicodeNameOf,
} from '../../../src/organizations/domains/dns-names.ts';

const codesOf = (schema: typeof DomainName | typeof HostName | typeof HostNames, value: unknown) =>
  parse<typeof DomainName | typeof HostName | typeof HostNames>(schema, value).match(
    () => 'valid',
    ({ violations }) => violations.map(({ propertyPath, code }) => `${propertyPath} ${code}`.trim()).join(', '),
  );

const valid = [
  ['example.com', 'example.com'],
  ['EXAMPLE.Com', 'example.com'],
  ['a.example.co.uk', 'a.example.co.uk'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['faß.de', 'xn--fa-hia.de'],
  ['shop.localhost', 'shop.localhost'],
  ['r3---sn-x.example.com', 'r3---sn-x.example.com'],
  ['me.github.io', 'me.github.io'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
] as const;

const invalid = [
  ['', 'hostname.syntax'],
  ['example', 'hostname.syntax'],
  ['example.com.', 'hostname.syntax'],
  ['.example.com', 'hostname.syntax'],
  ['a..example.com', 'hostname.syntax'],
  ['-a.example.com', 'hostname.syntax'],
  ['a-.example.com', 'hostname.syntax'],
  ['_a.example.com', 'hostname.syntax'],
  ['a b.example.com', 'hostname.syntax'],
  ['a.example.com:80', 'hostname.syntax'],
  ['192.0.2.1', 'hostname.syntax'],
  ['0x7f.0x1', 'hostname.syntax'],
  ['[2001:db8::1]', 'hostname.syntax'],
  ['xn--a.example', 'hostname.syntax'],
  ['a.*.example.com', 'hostname.syntax'],
  ['**.example.com', 'hostname.syntax'],
  [`${'a'.repeat(64)}.example`, 'hostname.syntax'],
  [`${'abcdefg.'.repeat(32)}example`, 'hostname.syntax'],
  ['ü'.repeat(100_000), 'hostname.syntax'],
  ['co.uk', 'hostname.publicSuffix'],
  ['github.io', 'hostname.publicSuffix'],
  ['公司.cn', 'hostname.publicSuffix'],
] as const;

describe('DomainName and HostName', () => {
  for (const [written, name] of valid) {
    it(`turn ${written.slice(0, 40)} into ${name.slice(0, 40)}`, () => {
      expect(DomainName.parse(written)).to.equal(name);
      expect(HostName.parse(written)).to.equal(name);
      expect(HostName.parse(`*.${written}`)).to.equal(`*.${name}`);
    });
  }

  for (const [written, code] of invalid) {
    it(`refuse ${JSON.stringify(written.slice(0, 40))}: ${code}`, () => {
      expect(codesOf(DomainName, written)).to.equal(code);
      expect(codesOf(HostName, written)).to.equal(code);
      expect(codesOf(HostName, `*.${written}`)).to.equal(code);
    });
  }

  it('accept a wildcard only in host names', () => {
    expect(codesOf(DomainName, '*.example.com')).to.equal('hostname.syntax');
    expect(codesOf(HostName, '*.example.com')).to.equal('valid');
    expect(codesOf(HostName, '*.*.example.com')).to.equal('hostname.syntax');
  });
});

describe('HostNames', () => {
  it('refuse a name that is twice in the list, however it is written, at each place', () => {
    const names = ['www.example.com', 'WWW.example.com', '*.example.com', 'bücher.example', 'xn--bcher-kva.example'];
    expect(codesOf(HostNames, names)).to.equal('[1] hostname.duplicate, [4] hostname.duplicate');
  });
});

describe('unicodeNameOf', () => {
  it('is the name as people read it, where that differs', () => {
    expect(unicodeNameOf(DomainName.parse('bücher.example'))).to.equal('bücher.example');
    expect(unicodeNameOf(DomainName.parse('example.com'))).to.equal(undefined);
  });
});

describe('coveringNames', () => {
  it('are the name and those above it with at least two labels', () => {
    const names = ['a.b.example.com', 'b.example.com', 'example.com'];
    expect(coveringNames(HostName.parse('a.b.example.com'))).to.deep.equal(names);
    expect(coveringNames(HostName.parse('*.b.example.com'))).to.deep.equal(names.slice(1));
  });
});
