import { expect } from 'chai';
import * as fc from 'fast-check';
import { and, not, or, type Tri } from '../../src/conditions/tri.ts';
import { canonicalValue, fieldOf, fieldSpellings, isFieldSpelling } from '../../src/index.ts';
import { all, any, evaluate, stepsOf } from '../zones.ts';

const url = 'https://shop.example.com/a/b.tar.gz?x=1&y&x=2&=3&&z=%7E';
const headers = [
  { name: 'User-Agent', value: 'Mozilla' },
  { name: 'Content-Type', value: ' Text/HTML ; charset=utf-8' },
  { name: 'Cookie', value: 'a="1"; =0; b; a=2; c=' },
  { name: 'X-Empty', value: ' \t' },
  { name: 'Authorization', value: 'Bearer secret' },
];
const facts = { url, headers, method: 'POST' };

/** The result of a rule's only condition, in an otherwise empty zone. */
const leaf = (condition: string, changed: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) => {
  const access = [{ action: 'allow', conditions: all(condition) }];
  const evaluation = evaluate({ settings, access }, { ...facts, ...changed });
  const [step] = stepsOf(evaluation, 'accessRules') as { leaves: readonly { result: Tri; subject?: unknown }[] }[];
  return step?.leaves[0];
};

describe('conditions', () => {
  const subjects: readonly (readonly [condition: string, subject: unknown])[] = [
    ['uri equals /', ['/a/b.tar.gz']],
    ['path equals /', ['/a/b.tar.gz']],
    ['query equals x', ['x=1&y&x=2&=3&&z=~']],
    ['url equals https://a', ['https://shop.example.com/a/b.tar.gz?x=1&y&x=2&=3&&z=~']],
    ['queryParam:x exists', ['1', '2']],
    ['queryParam:y exists', ['']],
    ['queryParam:q exists', []],
    ['extension exists', ['gz']],
    ['header:user-agent exists', ['Mozilla']],
    ['userAgent exists', ['Mozilla']],
    ['referer exists', []],
    ['acceptLanguage exists', []],
    ['header:x-empty exists', ['']],
    ['header:AUTHORIZATION exists', [{ length: 13 }]],
    ['header:cookie exists', [{ length: 21 }]],
    ['contentType exists', ['text/html']],
    ['cookie:a exists', [{ length: 3 }, { length: 1 }]],
    ['cookie:b exists', []],
    ['cookie:c exists', [{ length: 0 }]],
    ['method equals GET', ['POST']],
    ['host equals a', ['shop.example.com']],
    ['scheme equals http', ['https']],
    ['ip equals 1.1.1.1', ['192.0.2.1']],
    ['country equals FR', ['DE']],
    ['asn exists', ['64500']],
  ];
  for (const [condition, subject] of subjects) {
    it(`shows ${JSON.stringify(subject)} to ${condition}`, () => {
      expect(leaf(condition)?.subject).to.deep.equal(subject);
    });
  }

  const extensions = [
    ['/.css', ['css']],
    ['/a.b/', []],
    ['/a.', []],
    ['/a.b%20c', []],
    ['/a.B1', ['b1']],
    [`/a.${'x'.repeat(17)}`, []],
    ['/a', []],
  ] as const;
  for (const [path, subject] of extensions) {
    it(`reads ${JSON.stringify(subject)} as the extension of ${path}`, () => {
      expect(leaf('extension exists', { url: `https://a.example${path}` })?.subject).to.deep.equal(subject);
    });
  }

  it('reads no media type from an invalid header or from several', () => {
    const types = (...values: string[]) =>
      leaf('contentType exists', { headers: values.map((value) => ({ name: 'content-type', value })) })?.subject;
    expect(types('text')).to.deep.equal([]);
    expect(types('a/b', 'a/b')).to.deep.equal([]);
    expect(types('a/b/c')).to.deep.equal([]);
    expect(types(';')).to.deep.equal([]);
  });

  const results: readonly (readonly [condition: string, result: Tri])[] = [
    ['uri equals /a/b.tar.gz', 'true'],
    ['uri contains b.', 'true'],
    ['uri starts_with /a/', 'true'],
    ['uri ends_with .gz', 'true'],
    ['uri ends_with .tar', 'false'],
    ['uri matches ^/a/[a-z.]+$', 'true'],
    ['uri matches_ci ^/A/', 'true'],
    ['uri matches ^/A/', 'false'],
    ['uri in /x\n/a/b.tar.gz', 'true'],
    ['uri not_in /x', 'true'],
    ['uri equals /a?b', 'false'],
    ['uri not_equals /a?b', 'true'],
    ['queryParam:x equals 2', 'true'],
    ['queryParam:x not_equals 2', 'false'],
    ['queryParam:z equals %7e', 'true'],
    ['ip in 10.0.0.0/8\n192.0.0.0/16\n2001:db8::/32', 'true'],
    ['ip in 10.0.0.0/8\n193.0.0.0/8\n::/0', 'false'],
    ['ip equals ::ffff:192.0.2.1', 'true'],
    ['country in fr,de', 'true'],
    ['asn in AS1\nAS64500', 'true'],
    ['host ends_with .Example.com.', 'true'],
    ['method not_equals GET', 'true'],
    ['header:x-a not_exists', 'true'],
    ['header:x-a not_matches .', 'true'],
    ['header:x-a matches .', 'false'],
  ];
  for (const [condition, result] of results) {
    it(`evaluates ${JSON.stringify(condition)} to ${result}`, () => {
      expect(leaf(condition)?.result).to.equal(result);
    });
  }

  it('is unknown for omitted facts, whatever the operator', () => {
    const unknown = { unknown: ['headers'], ip: undefined, country: undefined, asn: undefined };
    const known = headers.filter(({ name }) => name !== 'Cookie');
    const conditions = [
      'ip in ::/0',
      'country not_equals DE',
      'asn exists',
      'cookie:a not_exists',
      'header:cookie exists',
    ];
    for (const condition of [...conditions, 'header:x-a exists', 'referer not_contains x']) {
      expect(leaf(condition, { ...unknown, headers: known }), condition).to.deep.equal({ index: 0, result: 'unknown' });
    }
    expect(leaf('header:user-agent exists', unknown)?.result).to.equal('true');
    expect(leaf('cookie:a exists', unknown)?.result).to.equal('true');
    expect(leaf('asn exists', { asn: null })?.result).to.equal('false');
  });

  it('negates every operator exactly', () => {
    const conditions = [...subjects.map(([condition]) => condition), ...results.map(([condition]) => condition)];
    for (const condition of conditions) {
      const negated = condition.replace(/ (not_)?(\w+)/, (_, negation: string | undefined, operator: string) =>
        negation === undefined ? ` not_${operator}` : ` ${operator}`,
      );
      expect([leaf(condition)?.result, leaf(negated)?.result], negated).to.have.members(['false', 'true']);
    }
  });

  it('reports every condition, even if one is decisive', () => {
    const texts = ['method equals POST', 'country equals DE', 'uri equals /'];
    const outcomes = [all(...texts), any(...texts)].map((conditions) => {
      const answer = evaluate({ access: [{ action: 'allow', conditions }] }, { ...facts, country: undefined });
      const [step] = stepsOf(answer, 'accessRules') as { outcome: string; leaves: { result: Tri }[] }[];
      return [step?.outcome, step?.leaves.map(({ result }) => result)];
    });
    expect(outcomes).to.deep.equal([
      ['notMatched', ['true', 'unknown', 'false']],
      ['matched', ['true', 'unknown', 'false']],
    ]);
  });

  const rfc3986 = { pathNormalization: 'rfc3986' };

  it('has the same result for values with the same canonical form', () => {
    const unit = fc.constantFrom('/', '.', '%', '2', 'e', 'E', '7', 'f', 'a');
    const path = fc.string({ unit, maxLength: 8 }).map((text) => `/${text}`);
    const operator = fc.constantFrom('equals', 'starts_with', 'contains', 'ends_with');
    fc.assert(
      fc.property(operator, path, path, path, (name, one, other, requested) => {
        const [first, second] = [one, other].map((value) => canonicalValue('uri', name as 'equals', value).texts);
        fc.pre(first?.[0] !== undefined && first[0] === second?.[0]);
        const [a, b] = [one, other].map(
          (value) => leaf(`uri ${name} ${value}`, { url: `https://a${requested}` }, rfc3986)?.result,
        );
        expect(a).to.equal(b);
      }),
      { numRuns: 300 },
    );
  });

  it('never holds for a value with several slashes in a row if those of paths are merged', () => {
    for (const [value, path] of [
      ['//a', '//a'],
      ['/a//', '/a//b'],
    ]) {
      expect(leaf(`uri starts_with ${value}`, { url: `https://a${path}` })?.result).to.equal('false');
      expect(leaf(`uri starts_with ${value}`, { url: `https://a${path}` }, rfc3986)?.result).to.equal('true');
    }
  });

  it('matches a request spelled like an equivalent value', () => {
    const unit = fc.constantFrom('/', '.', '%', '2', 'e', 'E', '7', 'f', 'a', '-');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const [path, url] = [`https://a/${text}`, `https://a/${text}?${text}`];
        expect(leaf(`uri equals /${text}`, { url: path }, rfc3986)?.result).to.equal('true');
        expect(leaf(`url equals https://A./${text}?${text}`, { url }, rfc3986)?.result).to.equal('true');
      }),
      { numRuns: 300 },
    );
  });
});

describe('fields', () => {
  it('have aliases, and the status only for scenarios', () => {
    expect(fieldOf('args')).to.equal('queryParam');
    expect(isFieldSpelling('status', 'request')).to.equal(false);
    expect(isFieldSpelling('status', 'requestAndAnswer')).to.equal(true);
    expect(fieldSpellings('request')).to.include('user_agent').and.not.include('status');
  });
});

describe('three-valued logic', () => {
  const values: readonly Tri[] = ['true', 'false', 'unknown'];

  it('follows De Morgan', () => {
    for (const a of values) {
      for (const b of values) {
        expect(not(and(a, b))).to.equal(or(not(a), not(b)));
        expect(and(a, b)).to.equal(and(b, a));
      }
    }
  });

  it('stays unknown if no operand is decisive', () => {
    expect(and('true', 'unknown')).to.equal('unknown');
    expect(and('false', 'unknown')).to.equal('false');
    expect(or('true', 'unknown')).to.equal('true');
    expect(or('false', 'unknown')).to.equal('unknown');
  });
});
