import { expect } from 'chai';
import * as fc from 'fast-check';
import { normalizePath, normalizeQuery } from '../../src/request/request-target.ts';

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
      expect(normalizePath(path)).to.equal(expected);
    });
  }

  it('keeps a triplet if decoding it would complete another one', () => {
    expect(normalizePath('/%%32e')).to.equal('/%%32e');
    expect(normalizePath('/%%32%65')).to.equal('/%%32e');
    expect(normalizePath('/%2%65/x')).to.equal('/%2%65/x');
    expect(normalizePath('/%%7e')).to.equal('/%~');
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(pathText, (path) => {
        const once = normalizePath(path);
        expect(normalizePath(once)).to.equal(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('removes dot segments as RFC 3986 section 5.2.4 does', () => {
    const segments = fc.array(fc.constantFrom('', '.', '..', '...', 'a', 'b'), { maxLength: 12 });
    fc.assert(
      fc.property(segments, (parts) => {
        const path = `/${parts.join('/')}`;
        expect(normalizePath(path)).to.equal(dotSegmentsByTheBook(path));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes time in proportion to the length', () => {
    const long = `${'/a%2e'.repeat(20_000)}${'/..'.repeat(20_000)}`;
    expect(normalizePath(long)).to.equal('/');
  });
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
