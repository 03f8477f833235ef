import { expect } from 'chai';
import { expectedVersions, knownTag, requireMatch } from '../../src/http/preconditions.ts';
import { Item } from '../../src/resources/resource.ts';

const asking = (headers: Readonly<Record<string, string>>) => ({ get: (name: string) => headers[name] ?? '' });

describe('expectedVersions', () => {
  for (const [ifMatch, ifNoneMatch, expected] of [
    ['', '', undefined],
    ['*', '', undefined],
    ['"7"', '', ['7']],
    ['"7;ld"', '', ['7']],
    ['"7;u0a1b2c3d", "8;u0a1b2c3d;ld", "9;x"', '', ['7', '8']],
    ['W/"7", "8;gz" ,W/"9;ld;gz"', '', ['7', '8', '9']],
    ['7, "8, \'9\', w/"6"', '', []],
    ['', '*', []],
    ['"7"', '*', []],
    ['', '"7", W/"8;ld"', { except: ['7', '8'] }],
    ['"7", "8"', '"7"', ['8']],
    ['*', '"7"', { except: ['7'] }],
  ] as const) {
    it(`for If-Match: ${ifMatch} and If-None-Match: ${ifNoneMatch}`, () => {
      const request = asking({ 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch });
      expect(expectedVersions(request)).to.deep.equal(expected);
    });
  }
});

describe('knownTag', () => {
  for (const [ifNoneMatch, known] of [
    ['', undefined],
    ['*', '"7;ld"'],
    ['"7;ld"', '"7;ld"'],
    ['"6", W/"7;ld"', 'W/"7;ld"'],
    ['"7;ld;gz"', '"7;ld;gz"'],
    ['"7"', undefined],
  ] as const) {
    it(`for If-None-Match: ${ifNoneMatch}`, () => {
      expect(knownTag(asking({ 'If-None-Match': ifNoneMatch }), '"7;ld"')).to.equal(known);
    });
  }
});

describe('requireMatch', () => {
  const item = (version?: string) => new Item({ type: 'Zone', iri: '/api/zones/7', members: {}, version });

  for (const [ifMatch, version, isShown] of [
    ['', '7', true],
    ['*', '7', true],
    ['"6", W/"7"', '7', true],
    ['"6"', '7', false],
    ['"6"', undefined, true],
  ] as const) {
    it(`${isShown ? 'allows' : 'rejects'} version ${version} for If-Match: ${ifMatch}`, () => {
      expect(requireMatch(asking({ 'If-Match': ifMatch }), item(version)).isOk()).to.equal(isShown);
    });
  }
});
