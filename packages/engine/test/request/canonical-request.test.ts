import { expect } from 'chai';
import { type PathNormalization, parseFacts } from '../../src/index.ts';
import { lowerCased, trimmed, utf8 } from '../../src/request/bytes.ts';
import { canonicalRequest } from '../../src/request/canonical-request.ts';
import { errorOf, okOf } from '../outcomes.ts';

const facts = { scheme: 'https', authority: 'a.example', target: '/' };
const requestOf = (changed: object, normalization: PathNormalization = 'strict') =>
  canonicalRequest(okOf(parseFacts({ ...facts, ...changed })), normalization);
const line = (value: string, name = 'X-A') => ({ name, value });

describe('canonicalRequest', () => {
  const rejected: readonly (readonly [changed: object, reason: string, status?: number])[] = [
    [{ method: '' }, 'method'],
    [{ method: 'G T' }, 'method'],
    [{ method: 'x'.repeat(33) }, 'method'],
    [{ method: '', target: '#' }, 'method'],
    [{ target: '/a b' }, 'target.character'],
    [{ target: '/\x7f' }, 'target.character'],
    [{ target: '/é' }, 'target.character'],
    [{ target: '/a#' }, 'target.character'],
    [{ target: `/${'a'.repeat(8192)}` }, 'target.length', 414],
    [{ method: 'CONNECT', target: 'a.example:443' }, 'target.form'],
    [{ method: 'CONNECT' }, 'target.form'],
    [{ target: '*' }, 'target.form'],
    [{ target: '' }, 'target.form'],
    [{ target: 'a' }, 'target.form'],
    [{ target: 'ftp://a' }, 'target.form'],
    [{ target: 'http://a' }, 'target.scheme'],
    [{ authority: '' }, 'authority'],
    [{ authority: 'u@a' }, 'authority'],
    [{ authority: 'a b' }, 'authority'],
    [{ authority: 'a%2eb' }, 'authority'],
    [{ authority: '-a' }, 'authority'],
    [{ authority: 'a..b' }, 'authority'],
    [{ authority: 'a:65536' }, 'authority'],
    [{ authority: 'a:000080' }, 'authority'],
    [{ authority: '[::1' }, 'authority'],
    [{ authority: '[::1]x' }, 'authority'],
    [{ authority: '[fe80::1%25eth0]' }, 'authority'],
    [{ authority: '[]' }, 'authority'],
    [{ authority: `${'a'.repeat(64)}.b` }, 'authority'],
    [{ authority: `${'a.'.repeat(126)}ab` }, 'authority'],
    [{ target: 'https://u@a/' }, 'authority'],
    [{ headers: [line('a', 'X A')] }, 'header.name'],
    [{ headers: [line('a', '')] }, 'header.name'],
    [{ headers: [line('a\0b'), line('', ' ')] }, 'header.name'],
    [{ headers: [line('a\nb')] }, 'header.value'],
    [{ headers: [line('a\x7f')] }, 'header.value'],
    [{ headers: Array.from({ length: 101 }, () => line('')) }, 'header.size', 431],
    [{ headers: [line('a'.repeat(32_766))] }, 'header.size', 431],
    [{ target: '/%2fa', headers: [line('a'.repeat(32_766))] }, 'header.size', 431],
    [{ target: '/%2fa' }, 'target.ambiguous'],
    [{ target: '/a/%2E%2e;/b?c' }, 'target.ambiguous'],
    [{ target: 'https://a\\b' }, 'authority'],
    [{ target: 'https://a/b\\c' }, 'target.ambiguous'],
  ];
  for (const [changed, reason, status = 400] of rejected) {
    it(`rejects ${JSON.stringify(changed).slice(0, 80)} for its ${reason}`, () => {
      expect(errorOf(requestOf(changed))).to.deep.equal({ reason, status });
    });
  }

  const accepted: readonly (readonly [changed: object, expected: object])[] = [
    [{ method: 'x'.repeat(32) }, { method: 'x'.repeat(32) }],
    [{ target: `/${'a'.repeat(8191)}` }, { path: `/${'a'.repeat(8191)}` }],
    [{ target: '/a?' }, { path: '/a', query: '' }],
    [{ target: '/a?b?c' }, { path: '/a', query: 'b?c' }],
    [{ target: '//a' }, { path: '/a', form: 'origin' }],
    [{ target: 'https://a.example//b' }, { path: '/b', form: 'absolute' }],
    [{ target: '/a%2fb/../c?%2f//\\' }, { path: '/c', query: '%2F//\\' }],
    [{ target: '/%%32e' }, { path: '/%%32e' }],
    [
      { target: 'HTTPS://B.Example?x', authority: '@' },
      { host: 'b.example', path: '/', query: 'x', form: 'absolute' },
    ],
    [{ target: 'https://b/c' }, { host: 'b', path: '/c' }],
    [
      { target: '*', method: 'OPTIONS' },
      { path: '*', query: '', form: 'asterisk' },
    ],
    [{ authority: 'A_b.example.:' }, { host: 'a_b.example' }],
    [{ authority: 'a:65535' }, { host: 'a' }],
    [{ authority: '[2001:DB8::1]:443' }, { host: '[2001:db8::1]' }],
    [{ authority: `${'a.'.repeat(126)}a.` }, { host: `${'a.'.repeat(126)}a` }],
    [{ headers: [line(`\t${'a'.repeat(32_765)} `)] }, { method: 'GET' }],
    [{ headers: [line('a\tb'), line('\xff')] }, { method: 'GET' }],
  ];
  for (const [changed, expected] of accepted) {
    it(`accepts ${JSON.stringify(changed).slice(0, 80)}`, () => {
      expect(okOf(requestOf(changed))).to.include(expected);
    });
  }
});

describe('canonicalRequest by RFC 3986 alone', () => {
  it('neither merges nor rejects', () => {
    for (const path of ['//a', '/%2Fa', '/a\\b', '/..;/%5C%00']) {
      expect(okOf(requestOf({ target: path }, 'rfc3986')).path).to.equal(path);
    }
  });
});

describe('byte strings', () => {
  it('are UTF-8', () => {
    for (const text of ['a', 'é', '€', '😀', 'mixed: ü€😀']) {
      expect(utf8(text)).to.equal(Buffer.from(text, 'utf8').toString('latin1'));
    }
    expect(utf8('\ud800')).to.equal('\xef\xbf\xbd');
  });

  it('are trimmed of spaces and tabs only, and folded as ASCII', () => {
    expect(trimmed(' \t\xa0a\t ')).to.equal('\xa0a');
    expect(trimmed(' \t')).to.equal('');
    expect(lowerCased('AÀ')).to.equal('aÀ');
    expect(lowerCased('AB')).to.equal('ab');
  });
});
