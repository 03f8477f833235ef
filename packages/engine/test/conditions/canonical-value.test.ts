import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  type ConditionOperator,
  canonicalTarget,
  canonicalValue,
  type FieldName,
  fieldNames,
  fieldOperators,
  markedQueries,
} from '../../src/index.ts';

const unmatchable = 'unmatchable';
const canonical = (field: FieldName, operator: ConditionOperator, value: string) => {
  const { texts, unmatchable: places } = canonicalValue(field, operator, value);
  return places.length > 0 ? unmatchable : texts.join('|');
};

type Row = readonly [field: FieldName, operator: ConditionOperator, value: string, expected: string];

describe('canonicalValue', () => {
  const rows: readonly Row[] = [
    ['uri', 'equals', '/%7eadmin', '/~admin'],
    ['uri', 'equals', '/a/../b/.', '/b/'],
    ['uri', 'equals', '/a%2fb', '/a%2Fb'],
    ['uri', 'equals', '/ä b', '/%C3%A4%20b'],
    ['uri', 'equals', '/%2e%2E/a', '/a'],
    ['uri', 'equals', '/a?b', unmatchable],
    ['uri', 'not_equals', '/a#b', unmatchable],
    ['uri', 'in', '/b/./c\n/a\n/a', '/a|/b/c'],
    ['uri', 'in', '/a\n/b?c', unmatchable],
    ['uri', 'starts_with', '/a/../b', '/b'],
    ['uri', 'starts_with', '/a/..', '/a/..'],
    ['uri', 'starts_with', '/a/./..', '/a/..'],
    ['uri', 'starts_with', '/a?', unmatchable],
    ['uri', 'contains', '%7e', '~'],
    ['uri', 'contains', '/./', unmatchable],
    ['uri', 'contains', '/%2e%2e/', unmatchable],
    ['uri', 'contains', '/..', '/..'],
    ['uri', 'ends_with', '/..', unmatchable],
    ['uri', 'ends_with', '/.', unmatchable],
    ['uri', 'ends_with', '..', '..'],
    ['uri', 'matches', '^/%7e', '^/%7e'],
    ['query', 'equals', 'a=ü&b', 'a=%C3%BC&b'],
    ['query', 'contains', 'a#b', unmatchable],
    ['queryParam', 'equals', 'a b', 'a%20b'],
    ['queryParam', 'equals', 'a&b', unmatchable],
    ['queryParam', 'contains', '#', unmatchable],
    ['url', 'equals', 'HTTPS://Example.COM.', 'https://example.com/'],
    ['url', 'equals', 'https://example.com/a/../b?', 'https://example.com/b'],
    ['url', 'equals', 'https://example.com?%7e', 'https://example.com/?~'],
    ['url', 'equals', 'https://example.com:443/', unmatchable],
    ['url', 'equals', 'example.com/a', unmatchable],
    ['url', 'in', 'https://a.example/#x', unmatchable],
    ['url', 'equals', 'http://[::1]/', 'http://[::1]/'],
    ['url', 'equals', 'http://[1.2.3.4]/', unmatchable],
    ['url', 'starts_with', 'HTT', 'htt'],
    ['url', 'starts_with', 'https://', 'https://'],
    ['url', 'starts_with', 'https://WWW.', 'https://www.'],
    ['url', 'starts_with', 'https://a..b', unmatchable],
    ['url', 'starts_with', 'https://-a', unmatchable],
    ['url', 'starts_with', 'https://[2001:DB8:', 'https://[2001:db8:'],
    ['url', 'starts_with', 'https://[::1]]', unmatchable],
    ['url', 'starts_with', 'https://a.example./b/..', 'https://a.example/b/..'],
    ['url', 'starts_with', 'https://a.example?', 'https://a.example/?'],
    ['url', 'starts_with', 'https://a.example/b/../?x=%7e', 'https://a.example/?x=~'],
    ['url', 'starts_with', 'https://a.example:80/', unmatchable],
    ['url', 'starts_with', 'ftp://a', unmatchable],
    ['url', 'contains', 'Example.COM/ä', 'Example.COM/%C3%A4'],
    ['url', 'ends_with', '#a', unmatchable],
    ['header', 'equals', 'é', '\xc3\xa9'],
    ['header', 'equals', ' a', unmatchable],
    ['header', 'equals', 'a ', unmatchable],
    ['header', 'starts_with', 'a ', 'a '],
    ['header', 'starts_with', ' a', unmatchable],
    ['userAgent', 'ends_with', 'a ', unmatchable],
    ['referer', 'contains', ' ', ' '],
    ['cookie', 'equals', 'a;b', unmatchable],
    ['cookie', 'contains', '; ', unmatchable],
    ['acceptLanguage', 'in', 'de\n en ', 'de|en'],
    ['host', 'equals', 'A.example.', 'a.example'],
    ['host', 'ends_with', '.example.com.', '.example.com'],
    ['host', 'ends_with', '.', unmatchable],
    ['host', 'ends_with', 'a-', unmatchable],
    ['host', 'starts_with', '.a', unmatchable],
    ['host', 'starts_with', 'www.', 'www.'],
    ['host', 'contains', '..', unmatchable],
    ['host', 'contains', '.', '.'],
    ['contentType', 'equals', 'Text/HTML', 'text/html'],
    ['contentType', 'contains', 'a/b/c', unmatchable],
    ['contentType', 'starts_with', '/html', unmatchable],
    ['contentType', 'ends_with', 'text/', unmatchable],
    ['contentType', 'ends_with', '/html', '/html'],
    ['country', 'in', 'de,FR,de', 'DE|FR'],
    ['host', 'equals', '..', unmatchable],
    ['country', 'equals', 'UK', unmatchable],
    ['country', 'in', 'xk t1'.replace(' ', ','), 'T1|XK'],
    ['scheme', 'equals', 'HTTPS', 'https'],
    ['extension', 'in', 'CSS,js', 'css|js'],
    ['ip', 'equals', '2001:DB8:0::1', '2001:db8::1'],
    ['ip', 'in', '10.1.2.3/8\n::ffff:1.2.3.4', '1.2.3.4|10.0.0.0/8'],
    ['asn', 'equals', 'AS64500', '64500'],
    ['method', 'equals', 'GET', 'GET'],
    ['status', 'in', '404,403', '403|404'],
    ['header', 'exists', '', ''],
  ];
  for (const [field, operator, value, expected] of rows) {
    it(`takes ${field} ${operator} ${JSON.stringify(value)} for ${expected}`, () => {
      expect(canonical(field, operator, value)).to.equal(expected);
    });
  }

  it('reports the entries that no request can match', () => {
    expect(canonicalValue('uri', 'not_in', '/a#\n/b\n/c?')).to.deep.equal({ texts: ['/b'], unmatchable: [0, 2] });
  });

  it('is idempotent for any ASCII text', () => {
    const unit = fc.constantFrom('/', '.', '%', '2', 'e', 'F', '~', 'a', 'Z', ':', '[', '-', ' ', '=');
    const written = fc.tuple(fc.constantFrom('', '/', 'https://', 'HTTP://a.b'), fc.string({ unit, maxLength: 12 }));
    const fields = fieldNames('request').filter((field): field is FieldName => field !== 'status');
    fc.assert(
      fc.property(fc.constantFrom(...fields), written, (field, [before, rest]) => {
        for (const operator of fieldOperators[field]) {
          if (operator === 'in' || operator === 'exists') continue;
          const [text] = canonicalValue(field, operator, before + rest).texts;
          if (text !== undefined) expect(canonicalValue(field, operator, text).texts).to.deep.equal([text]);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('canonicalTarget', () => {
  it('folds header names, encodes parameters, and leaves cookies alone', () => {
    expect(canonicalTarget('header', 'X-A')).to.equal('x-a');
    expect(canonicalTarget('queryParam', '%7eü')).to.equal('~%C3%BC');
    expect(canonicalTarget('cookie', 'Sid')).to.equal('Sid');
  });
});

describe('markedQueries', () => {
  it('finds query values that start with the question mark', () => {
    expect(markedQueries('query', 'equals', '?a')).to.deep.equal([0]);
    expect(markedQueries('query', 'not_in', 'a\n?b')).to.deep.equal([1]);
    expect(markedQueries('query', 'contains', '?a')).to.deep.equal([]);
    expect(markedQueries('header', 'equals', '?a')).to.deep.equal([]);
  });
});
