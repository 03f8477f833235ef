import { expect } from 'chai';
import * as fc from 'fast-check';
import { isAmbiguousPath, normalizePath, normalizeQuery } from '../../src/request/request-target.ts';

const pathText = fc.string({
  unit: fc.constantFrom('/', '.', '%', '2', 'e', 'E', '5', 'f', '7', 'a', 'é'),
  maxLength: 40,
});

/** RFC 3986 section 5.2.4 verbatim, for paths that start with a slash. */
function dotSegmentsByTheBook(path: string): string {
  let input = path;
  let output = '';
  while (input !== '') {
    if (input.startsWith('/./')) input = input.slice(2);
    else if (input === '/.') input = '/';
    else if (input.startsWith('/../') || input === '/..') {
      input = `/${input.slice(4)}`;
      output = output.slice(0, Math.max(output.lastIndexOf('/'), 0));
    } else {
      const end = input.indexOf('/', 1);
      output += end < 0 ? input : input.slice(0, end);
      input = end < 0 ? '' : input.slice(end);
    }
  }
  return output;
}

describe('normalizePath', () => {
  const rows = [
    ['', '/'],
    ['/', '/'],
    ['/a/b', '/a/b'],
    ['/a/b/', '/a/b/'],
    ['/A', '/A'],
    ['//a///b', '//a///b'],
    ['/a/./b', '/a/b'],
    ['/a/.', '/a/'],
    ['/a/../b', '/b'],
    ['/a/..', '/'],
    ['/a/b/..', '/a/'],
    ['/..', '/'],
    ['/../../a', '/a'],
    ['/a//../b', '/a/b'],
    ['//..', '/'],
    ['/...', '/...'],
    ['/.a/..b', '/.a/..b'],
    ['/mid/content=5/../6', '/mid/6'],
    ['/a/b/c/./../../g', '/a/g'],
    ['/%7euser', '/~user'],
    ['/%41%2d%5F%2E', '/A-_.'],
    ['/%2e%2E/a', '/a'],
    ['/a/%2e%2e/b', '/b'],
    ['/a%2fb', '/a%2Fb'],
    ['/a%2F..%2Fb', '/a%2F..%2Fb'],
    ['/%c3%a9', '/%C3%A9'],
    ['/%20+%2B', '/%20+%2B'],
    ['/%00', '/%00'],
    ['/%', '/%'],
    ['/%4', '/%4'],
    ['/%zz%4g', '/%zz%4g'],
    ['/%252e', '/%252e'],
    ['/%25%32%65', '/%252e'],
    ['*', '*'],
    ['a/../%7e', 'a/../~'],
  ] as const;
  for (const [path, expected] of rows) {
    it(`turns ${JSON.stringify(path)} into ${JSON.stringify(expected)}`, () => {
      expect(normalizePath(path, 'rfc3986')).to.equal(expected);
    });
  }

  it('keeps a triplet if decoding it would complete another one', () => {
    expect(normalizePath('/%%32e', 'rfc3986')).to.equal('/%%32e');
    expect(normalizePath('/%%32%65', 'rfc3986')).to.equal('/%%32e');
    expect(normalizePath('/%2%65/x', 'rfc3986')).to.equal('/%2%65/x');
    expect(normalizePath('/%%7e', 'rfc3986')).to.equal('/%~');
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(pathText, (path) => {
        const once = normalizePath(path, 'rfc3986');
        expect(normalizePath(once, 'rfc3986')).to.equal(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('merges slashes, if strict, of what is left without dot segments', () => {
    const rows = [
      ['//', '/'],
      ['//a///b//', '/a/b/'],
      ['/.//a', '/a'],
      ['/a/..//b', '/b'],
      ['/a//../b', '/a/b'],
      ['/a/%2e%2e//%2E/b', '/b'],
      ['/a/..//../b', '/b'],
      ['/%2F/a', '/%2F/a'],
      ['*', '*'],
    ] as const;
    for (const [path, expected] of rows) expect(normalizePath(path, 'strict')).to.equal(expected);
    fc.assert(
      fc.property(pathText, (path) => {
        const strict = normalizePath(`/${path}`, 'strict');
        expect(strict).to.equal(normalizePath(`/${path}`, 'rfc3986').replace(/\/+/g, '/'));
        expect(normalizePath(strict, 'strict')).to.equal(strict);
      }),
      { numRuns: 2000 },
    );
  });

  it('removes dot segments as RFC 3986 section 5.2.4 does', () => {
    const segments = fc.array(fc.constantFrom('', '.', '..', '...', 'a', 'b'), { maxLength: 12 });
    fc.assert(
      fc.property(segments, (parts) => {
        const path = `/${parts.join('/')}`;
        expect(normalizePath(path, 'rfc3986')).to.equal(dotSegmentsByTheBook(path));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes time in proportion to the length', () => {
    const long = `${'/a%2e'.repeat(20_000)}${'/..'.repeat(20_000)}`;
    expect(normalizePath(long, 'rfc3986')).to.equal('/');
  });
});

describe('isAmbiguousPath', () => {
  const ambiguous = [
    '/a%2Fb',
    '/%2F',
    '/..%2Fa',
    '/a%5Cb',
    '/%00',
    '/a%00.css',
    '/a\\b',
    '/.;',
    '/..;/a',
    '/a/..;x=1/b',
    '/.;a',
  ];
  const clear = [
    '/',
    '/a',
    '//a',
    '/%252F',
    '/%25',
    '/a;b',
    '/a..;',
    '/...;',
    '/;',
    '/a.;',
    '/%%32F',
    '/%C0%AF',
    '/%3B',
    '*',
  ];
  for (const path of ambiguous) it(`is true of ${path}`, () => expect(isAmbiguousPath(path)).to.equal(true));
  for (const path of clear) it(`is false of ${path}`, () => expect(isAmbiguousPath(path)).to.equal(false));
});

describe('normalizeQuery', () => {
  const rows = [
    ['', ''],
    ['a=1&b=2&a=3', 'a=1&b=2&a=3'],
    ['b=2&a=1', 'b=2&a=1'],
    ['q=%7e%2f', 'q=~%2F'],
    ['q=a+b%20c', 'q=a+b%20c'],
    ['q=%26%3d', 'q=%26%3D'],
    ['path=/a/../b/./c', 'path=/a/../b/./c'],
    ['a&b=&=c&&', 'a&b=&=c&&'],
    ['%%', '%%'],
  ] as const;
  for (const [query, expected] of rows) {
    it(`turns ${JSON.stringify(query)} into ${JSON.stringify(expected)}`, () => {
      expect(normalizeQuery(query)).to.equal(expected);
    });
  }

  it('is idempotent', () => {
    fc.assert(
      fc.property(pathText, (query) => {
        const once = normalizeQuery(query);
        expect(normalizeQuery(once)).to.equal(once);
      }),
      { numRuns: 2000 },
    );
  });
});
