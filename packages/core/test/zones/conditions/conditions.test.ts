import { expect } from 'chai';
import * as fc from 'fast-check';
import { parse } from '../../../src/kernel/shared/parse.ts';
import { Conditions } from '../../../src/zones/conditions/conditions.ts';
import { errorOf, okOf } from '../../results.ts';
import { aLeaf, conditionsOf, leafViolations, violationsOf } from './builders.ts';

const uriLeaf = { field: 'uri', operator: 'equals', value: '/' };
const copies = (count: number, leaf: object) => Array.from({ length: count }, () => leaf);
const messageOf = (leaf: object) =>
  errorOf(parse(Conditions, { logic: 'and', conditions: [leaf] })).violations[0]?.message ?? '';

/** A value for each group of operators; null if the field does not support the group. */
interface FieldRow {
  readonly equals: string;
  readonly contains: string | null;
  readonly affix: string | null;
  readonly matches: string | null;
  readonly in: string;
  readonly exists: boolean;
}

const free = { equals: 'x', contains: 'x', affix: 'x', matches: 'x', in: 'x\ny' } as const;
const compatibility: Readonly<Record<string, FieldRow>> = {
  uri: { equals: '/x', contains: 'x', affix: '/x', matches: '^/x', in: '/x\n/y', exists: false },
  query: { ...free, exists: false },
  url: { ...free, exists: false },
  queryParam: { ...free, exists: true },
  header: { ...free, exists: true },
  cookie: { ...free, exists: true },
  userAgent: { ...free, exists: true },
  referer: { ...free, exists: true },
  acceptLanguage: { ...free, exists: true },
  host: { equals: 'a.example', contains: 'a.', affix: 'a', matches: '^a', in: 'a.example,b.example', exists: false },
  contentType: { equals: 'text/html', contains: 'xml', affix: 'x', matches: null, in: 'a/b,c/d', exists: true },
  method: { equals: 'GET', contains: null, affix: null, matches: null, in: 'GET,HEAD', exists: false },
  scheme: { equals: 'https', contains: null, affix: null, matches: null, in: 'http,https', exists: false },
  country: { equals: 'DE', contains: null, affix: null, matches: null, in: 'DE,AT', exists: false },
  asn: { equals: '64500', contains: null, affix: null, matches: null, in: '64500,64501', exists: true },
  extension: { equals: 'css', contains: null, affix: null, matches: null, in: 'css,js', exists: true },
  ip: { equals: '192.0.2.1', contains: null, affix: null, matches: null, in: '192.0.2.0/24,::1', exists: false },
};

const operatorGroups: Readonly<Record<string, keyof FieldRow>> = {
  equals: 'equals',
  contains: 'contains',
  starts_with: 'affix',
  ends_with: 'affix',
  matches: 'matches',
  matches_ci: 'matches',
  in: 'in',
  exists: 'exists',
};

describe('Conditions', () => {
  describe('compatibility of fields and operators', () => {
    for (const [field, row] of Object.entries(compatibility)) {
      for (const [base, group] of Object.entries(operatorGroups)) {
        for (const operator of [base, `not_${base}`]) {
          const value = row[group];
          if (value === null || value === false) {
            it(`refuses ${operator} on ${field}`, () => {
              const leaf = aLeaf({ field, operator, ...(base === 'exists' ? {} : { value: 'x' }) });
              expect(leafViolations(leaf)).to.deep.equal(['operator condition.operator.incompatible']);
            });
          } else {
            it(`allows ${operator} on ${field}`, () => {
              const leaf = aLeaf({ field, operator, ...(value === true ? {} : { value }) });
              expect(leafViolations(leaf)).to.deep.equal([]);
            });
          }
        }
      }
    }
  });

  describe('what is read back', () => {
    it('is what was written, including aliases, case and order', () => {
      const written = {
        logic: 'ANY',
        conditions: [
          { field: 'hostname', operator: 'eq', value: 'WWW.Example.COM.' },
          { field: 'country', operator: 'notIn', value: 'us, DE,us' },
          { field: 'headers', operator: 'iregex', target: 'X-Thing', value: '^a' },
          { field: 'path', operator: 'prefix', value: '/B' },
        ],
      };
      expect(conditionsOf(written.conditions, written.logic)).to.deep.equal(written);
    });

    it('leaves out members without a value, and only those', () => {
      const { conditions } = conditionsOf([
        { field: 'cookie', operator: 'exists', target: 'a', value: null },
        { field: 'cookie', operator: 'not_exists', target: 'a', value: '' },
        { field: 'uri', operator: 'equals', target: null, value: '/' },
        { field: 'uri', operator: 'contains', target: '', value: '/' },
        { field: 'query', operator: 'equals', target: '', value: '' },
      ]);
      expect(conditions).to.deep.equal([
        { field: 'cookie', operator: 'exists', target: 'a' },
        { field: 'cookie', operator: 'not_exists', target: 'a' },
        { field: 'uri', operator: 'equals', value: '/' },
        { field: 'uri', operator: 'contains', value: '/' },
        { field: 'query', operator: 'equals', value: '' },
      ]);
    });

    it('has its members in a fixed order', () => {
      const leaf = { value: 'b', target: 'a', operator: 'equals', field: 'header' };
      const checked = okOf(parse(Conditions, { conditions: [leaf], logic: 'and' }));
      expect(JSON.stringify(checked)).to.equal(
        '{"logic":"and","conditions":[{"field":"header","operator":"equals","target":"a","value":"b"}]}',
      );
    });

    it('is accepted again unchanged', () => {
      const leaf = fc.constantFrom(
        aLeaf({ field: 'args', operator: 'notExists', value: '' }),
        aLeaf({ field: 'ip', operator: 'in', value: '::FFFF:10.0.0.1/100, 10.0.0.1', target: null }),
        aLeaf({ field: 'userAgent', operator: 'is', value: '' }),
      );
      fc.assert(
        fc.property(fc.array(leaf, { minLength: 1, maxLength: 25 }), (leaves) => {
          const once = conditionsOf(leaves);
          expect(okOf(parse(Conditions, once))).to.deep.equal(once);
        }),
      );
    });
  });

  describe('logic', () => {
    for (const logic of ['and', 'or', 'all', 'any', 'AND', 'Or', 'aLL', 'Any']) {
      it(`may be ${logic}`, () => {
        expect(violationsOf({ logic, conditions: [uriLeaf] })).to.deep.equal([]);
      });
    }
    for (const logic of ['', 'xor', ' and', 'none', 'constructor']) {
      it(`may not be ${JSON.stringify(logic)}`, () => {
        expect(violationsOf({ logic, conditions: [uriLeaf] })).to.deep.equal(['logic condition.logic']);
      });
    }
  });

  describe('spellings', () => {
    const fields = {
      uri: ['path'],
      query: ['queryString'],
      queryParam: ['args', 'arg'],
      header: ['headers'],
      cookie: ['cookies'],
      host: ['hostname'],
      scheme: ['protocol'],
      userAgent: ['user_agent'],
      acceptLanguage: ['accept_language'],
      contentType: ['content_type'],
    };
    for (const [field, aliases] of Object.entries(fields)) {
      for (const alias of aliases) {
        it(`accepts ${alias} as ${field}`, () => {
          const value = compatibility[field]?.equals ?? '';
          expect(leafViolations({ ...aLeaf({ field, operator: 'equals', value }), field: alias })).to.deep.equal([]);
        });
      }
    }

    const operators = [
      ['eq', 'is', 'startsWith', 'prefix', 'endsWith', 'suffix', 'regex', 'matchesCi', 'iregex'],
      ['notEquals', 'notContains', 'notStartsWith', 'notEndsWith', 'notMatches', 'notMatchesCi', 'notIn'],
    ].flat();
    for (const operator of operators) {
      it(`accepts ${operator} as an operator`, () => {
        expect(leafViolations({ field: 'query', operator, value: 'x' })).to.deep.equal([]);
      });
    }
    it('accepts notExists as an operator', () => {
      expect(leafViolations({ field: 'referer', operator: 'notExists' })).to.deep.equal([]);
    });

    for (const name of ['', 'URI', 'url ', 'user-agent', 'toString', '__proto__', 'constructor']) {
      it(`rejects the field ${JSON.stringify(name)}`, () => {
        expect(leafViolations({ field: name, operator: 'equals', value: 'x' })).to.deep.equal([
          'field condition.field',
        ]);
      });
    }
    for (const name of ['', 'Equals', '==', 'not', 'not_', 'NotIn', 'valueOf']) {
      it(`rejects the operator ${JSON.stringify(name)}`, () => {
        expect(leafViolations({ field: 'query', operator: name, value: 'x' })).to.deep.equal([
          'operator condition.operator',
        ]);
      });
    }
  });

  describe('violations', () => {
    it('of all leaves are reported at once, whatever the shape of the others', () => {
      const conditions = [
        { field: 'nope', operator: 'nope' },
        uriLeaf,
        { field: 'header', operator: 'matches', value: '(?=a)' },
        { field: 'uri', operator: 'equals', value: 7 },
        { field: 'cookie', operator: 'equals', target: 'a b', value: 'x', negate: true },
        { operator: 'equals', value: 'x' },
      ];
      expect(violationsOf({ logic: 'maybe', conditions, extra: 1 })).to.have.members([
        'logic condition.logic',
        'conditions[0].field condition.field',
        'conditions[0].operator condition.operator',
        'conditions[2].target condition.target.required',
        'conditions[2].value condition.regex.lookaround',
        'conditions[3].value member.type',
        'conditions[4].target condition.target.syntax',
        'conditions[4].negate member.unknown',
        'conditions[5].field member.required',
        'extra member.unknown',
      ]);
    });

    it('of missing and wrongly typed members name them', () => {
      expect(violationsOf({})).to.deep.equal(['logic member.required', 'conditions member.required']);
      expect(violationsOf(null)).to.deep.equal([' member.type']);
      expect(violationsOf({ logic: 1, conditions: {} })).to.deep.equal(['logic member.type', 'conditions member.type']);
      expect(leafViolations({ field: null, operator: [], target: 1, value: {} })).to.deep.equal([
        'field member.type',
        'operator member.type',
        'target member.type',
        'value member.type',
      ]);
    });

    it('of nested groups report unknown members', () => {
      const group = { logic: 'and', conditions: [uriLeaf] };
      expect(leafViolations(group)).to.include.members(['logic member.unknown', 'conditions member.unknown']);
    });

    it('report an unknown operator, even with an empty value', () => {
      const leaf = { field: 'uri', operator: 'resembles', value: '' };
      expect(leafViolations(leaf)).to.deep.equal(['operator condition.operator']);
    });

    it('are never exceptions, whatever the input', () => {
      fc.assert(fc.property(fc.anything({ withBigInt: true }), (input) => Array.isArray(violationsOf(input))));
      const leafLike = fc.record({ field: fc.anything(), operator: fc.anything(), value: fc.anything() });
      fc.assert(fc.property(leafLike, (leaf) => leafViolations(leaf).length > 0));
    });
  });

  describe('number of leaves', () => {
    it('is 1 to 50', () => {
      expect(violationsOf({ logic: 'and', conditions: [] })).to.deep.equal(['conditions list.tooShort']);
      expect(violationsOf({ logic: 'and', conditions: copies(50, uriLeaf) })).to.deep.equal([]);
      expect(violationsOf({ logic: 'and', conditions: copies(51, uriLeaf) })).to.deep.equal([
        'conditions list.tooLong',
      ]);
    });

    it('is the only violation if there are too many, however invalid they are', () => {
      expect(violationsOf({ logic: 'and', conditions: copies(10_000, { field: 'x' }) })).to.deep.equal([
        'conditions list.tooLong',
      ]);
    });
  });

  describe('size', () => {
    const fill = (bytes: number, unit = 'x') => {
      const value = (length: number) => ({ field: 'query', operator: 'equals', value: unit.repeat(length) });
      const empty = new TextEncoder().encode(JSON.stringify({ logic: 'and', conditions: copies(5, value(0)) }));
      const units = (bytes - empty.length) / new TextEncoder().encode(unit).length;
      const each = Math.floor(units / 5);
      return [value(each), value(each), value(each), value(each), value(units - 4 * each)];
    };

    it('is at most 16384 bytes', () => {
      expect(violationsOf({ logic: 'and', conditions: fill(16_384) })).to.deep.equal([]);
      expect(violationsOf({ logic: 'and', conditions: fill(16_385) })).to.deep.equal([' condition.tooLarge']);
    });

    for (const [unit, bytes] of [
      ['é', 2],
      ['€', 3],
      ['😀', 4],
    ] as const) {
      it(`counts ${bytes} bytes for ${unit}`, () => {
        const [first, ...rest] = fill(16_384 - ((16_384 - 279) % bytes), unit);
        const encoded = JSON.stringify({ logic: 'and', conditions: [first, ...rest] });
        const free = 16_384 - new TextEncoder().encode(encoded).length;
        const padded = (by: number) => [{ ...first, value: `${first?.value ?? ''}${'x'.repeat(by)}` }, ...rest];
        expect(violationsOf({ logic: 'and', conditions: padded(free) })).to.deep.equal([]);
        expect(violationsOf({ logic: 'and', conditions: padded(free + 1) })).to.deep.equal([' condition.tooLarge']);
      });
    }

    it('does not count omitted members', () => {
      const conditions = fill(16_384).map((leaf) => ({ ...leaf, target: null }));
      expect(violationsOf({ logic: 'and', conditions })).to.deep.equal([]);
    });

    it('is reported together with other violations', () => {
      const conditions = [...fill(16_385), { field: 'nope', operator: 'equals', value: 'x' }];
      expect(violationsOf({ logic: 'and', conditions })).to.deep.equal([
        'conditions[5].field condition.field',
        ' condition.tooLarge',
      ]);
    });
  });

  describe('target', () => {
    for (const field of Object.keys(compatibility)) {
      const needsTarget = ['header', 'cookie', 'queryParam'].includes(field);
      const value = compatibility[field]?.equals ?? '';
      for (const target of [undefined, null, '']) {
        it(`${needsTarget ? 'must not' : 'may'} be ${target === '' ? 'empty' : target} on ${field}`, () => {
          const leaf = { field, operator: 'equals', value, ...(target === undefined ? {} : { target }) };
          expect(leafViolations(leaf)).to.deep.equal(needsTarget ? ['target condition.target.required'] : []);
        });
      }
      if (!needsTarget) {
        it(`must not be given on ${field}`, () => {
          expect(leafViolations({ field, operator: 'equals', value, target: 'x' })).to.deep.equal([
            'target condition.target.unexpected',
          ]);
        });
      }
    }

    const accepted = {
      header: ['a', 'X-Test', "!#$%&'*+-.^_`|~09", 'a'.repeat(128), 'cookie', 'Authorization', 'hostname'],
      cookie: ['a', 'SESSION_id', "!#$%&'*+-.^_`|~09", 'a'.repeat(128), 'host'],
      queryParam: ['a', 'a[]', 'a+b', '%20', 'a;b', 'é', '😀'.repeat(128), '"', '/', '?'],
    };
    for (const [field, targets] of Object.entries(accepted)) {
      for (const target of targets) {
        it(`of ${field} may be ${target}`, () => {
          expect(leafViolations({ field, operator: 'equals', target, value: 'x' })).to.deep.equal([]);
        });
      }
    }

    const refused = {
      header: [' ', 'a b', 'a:', 'ä', 'a\n', 'a'.repeat(129), '(a)', 'a,b', 'a"'],
      cookie: [' a', 'a=', 'a;', 'é', 'a'.repeat(129), 'a\t'],
      queryParam: ['a&b', 'a=', '#', 'a b', 'a\u0000', 'a\u0085', '\ud800', 'a'.repeat(129), '😀'.repeat(129)],
    };
    for (const [field, targets] of Object.entries(refused)) {
      for (const target of targets) {
        it(`of ${field} may not be ${JSON.stringify(target)}`, () => {
          expect(leafViolations({ field, operator: 'equals', target, value: 'x' })).to.deep.equal([
            'target condition.target.syntax',
          ]);
        });
      }
    }

    for (const target of ['host', 'Host', 'HOST']) {
      it(`of header may not be ${target}, which has a field of its own`, () => {
        expect(leafViolations({ field: 'header', operator: 'exists', target })).to.deep.equal([
          'target condition.target.host',
        ]);
      });
    }
  });

  describe('value', () => {
    it('is required by every operator except exists and not_exists', () => {
      for (const value of [undefined, null]) {
        for (const operator of ['equals', 'contains', 'starts_with', 'ends_with', 'matches', 'matches_ci', 'in']) {
          expect(leafViolations({ field: 'query', operator, value })).to.deep.equal(['value condition.value.required']);
          expect(leafViolations({ field: 'query', operator: `not_${operator}`, value })).to.have.length(1);
        }
        expect(leafViolations({ field: 'referer', operator: 'exists', value })).to.deep.equal([]);
      }
    });

    it('may be empty if the operator can match an empty subject', () => {
      for (const field of [
        'query',
        'url',
        'queryParam',
        'header',
        'cookie',
        'userAgent',
        'referer',
        'acceptLanguage',
      ]) {
        expect(leafViolations(aLeaf({ field, operator: 'equals', value: '' })), field).to.deep.equal([]);
      }
    });

    it('may not be empty anywhere else', () => {
      for (const [field, row] of Object.entries(compatibility)) {
        for (const [operator, group] of Object.entries(operatorGroups)) {
          const isFree = operator === 'equals' && row.equals === 'x';
          if (typeof row[group] !== 'string' || isFree) continue;
          expect(leafViolations(aLeaf({ field, operator, value: '' })), `${field} ${operator}`).to.deep.equal([
            'value condition.value.required',
          ]);
        }
      }
    });

    it('is refused by exists and not_exists', () => {
      for (const operator of ['exists', 'not_exists']) {
        for (const field of ['referer', 'asn', 'cookie']) {
          expect(leafViolations(aLeaf({ field, operator, value: 'x' }))).to.deep.equal([
            'value condition.value.unexpected',
          ]);
        }
      }
    });

    const limits = [
      ['equals', 4096],
      ['not_equals', 4096],
      ['contains', 1024],
      ['starts_with', 1024],
      ['ends_with', 1024],
      ['matches', 1024],
      ['matches_ci', 1024],
      ['in', 1024],
    ] as const;
    for (const [operator, limit] of limits) {
      it(`of ${operator} has at most ${limit} characters`, () => {
        for (const field of ['query', 'uri', 'url']) {
          const value = (length: number) => `/${'a'.repeat(length - 1)}`;
          expect(leafViolations({ field, operator, value: value(limit) })).to.deep.equal([]);
          expect(leafViolations({ field, operator, value: value(limit + 1) })).to.deep.equal([
            'value condition.value.tooLong',
          ]);
        }
      });
    }

    it('is measured in code points', () => {
      expect(leafViolations({ field: 'query', operator: 'contains', value: '😀'.repeat(1024) })).to.deep.equal([]);
      expect(leafViolations({ field: 'query', operator: 'contains', value: '😀'.repeat(1025) })).to.deep.equal([
        'value condition.value.tooLong',
      ]);
    });

    it('is rejected unread if it is longer than the whole object may be', () => {
      const value = `\ud800${'a,'.repeat(200_000)}`;
      expect(leafViolations({ field: 'ip', operator: 'in', value })).to.include('value condition.value.tooLong');
    });

    for (const value of ['a\u0000', 'a\tb', 'a\r\nb', 'a\u007f', 'a\u0085', 'a\nb']) {
      it(`may not contain control characters: ${JSON.stringify(value)}`, () => {
        for (const operator of ['equals', 'contains', 'matches']) {
          expect(leafViolations({ field: 'query', operator, value })).to.deep.equal(['value condition.value.control']);
        }
      });
    }

    it('may contain line feeds only in lists', () => {
      expect(leafViolations({ field: 'query', operator: 'in', value: 'a\nb' })).to.deep.equal([]);
      expect(leafViolations({ field: 'query', operator: 'not_in', value: 'a\nb' })).to.deep.equal([]);
      expect(leafViolations({ field: 'query', operator: 'in', value: 'a\r\nb' })).to.deep.equal([]);
      expect(leafViolations({ field: 'query', operator: 'in', value: 'a\rb' })).to.deep.equal([
        'value condition.value.control',
      ]);
    });

    it('may not contain a lone surrogate', () => {
      for (const operator of ['equals', 'in', 'matches']) {
        expect(leafViolations({ field: 'query', operator, value: 'a\ud83d' })).to.deep.equal([
          'value condition.value.encoding',
        ]);
      }
    });
  });

  describe('value of a field with a syntax', () => {
    const accepted: Readonly<Record<string, readonly string[]>> = {
      uri: ['/', '/a b', '/é', '//'],
      method: ['GET', 'PROPFIND', 'M-SEARCH', "A!#$%&'*+.^_`|~0", 'A'.repeat(32)],
      host: [
        'a',
        'example.com',
        'EXAMPLE.com.',
        'xn--bcher-kva.example',
        '192.0.2.1',
        'a_b.example',
        `${'a'.repeat(63)}.b`,
      ],
      scheme: ['http', 'https', 'HTTPS', 'Http'],
      ip: ['192.0.2.1', '::1', '2001:DB8::1', '::ffff:192.0.2.1'],
      country: ['DE', 'de', 'XX', 'T1', 't1'],
      asn: ['1', '4294967295', 'AS64500', 'as64500'],
      contentType: ['text/html', 'Text/HTML', 'application/vnd.api+json', '*/*'],
      extension: ['css', 'CSS', 'mp4', '7z', 'a'.repeat(16)],
    };
    const refused: Readonly<Record<string, readonly string[]>> = {
      uri: ['a', ' /a', 'https://a/'],
      method: ['get', 'Get', 'GET ', 'A,B', 'A'.repeat(33), 'GÉT'],
      host: [
        'https://a.example',
        'a.example/',
        'a.example:80',
        '*.example',
        '.example',
        'a..example',
        'a.example..',
        '.',
        '-a.example',
        'a-.example',
        'bücher.example',
        'a b',
        '[::1]',
        `${'a'.repeat(64)}.b`,
        `${'a.'.repeat(126)}ab`,
      ],
      scheme: ['ftp', 'https:', 'ws', 'http ', 'httpſ'],
      ip: ['192.0.2.0/24', '192.0.2.1/32', '::/0', '192.0.2', '192.0.2.01', 'fe80::1%eth0', 'localhost', ' ::1'],
      country: ['D', 'DEU', 'T2', '1T', 'ß', 'ÄÖ', 'D1'],
      asn: ['0', '4294967296', '01', 'AS', 'ASN1', '-1', '1.0', '12345678901', 'AS 1'],
      contentType: [
        'text',
        'text/',
        '/html',
        'text/html; charset=utf-8',
        'a/b/c',
        'text /html',
        `a/${'b'.repeat(254)}`,
      ],
      extension: ['.css', 'tar.gz', 'a'.repeat(17), 'é', 'a b'],
    };
    for (const [field, values] of Object.entries(accepted)) {
      for (const value of values) {
        it(`${field} may be ${JSON.stringify(value)}, alone and in a list`, () => {
          expect(leafViolations({ field, operator: 'equals', value })).to.deep.equal([]);
          expect(leafViolations({ field, operator: 'in', value: ` ${value} \n${value}` })).to.deep.equal([]);
        });
      }
    }
    for (const [field, values] of Object.entries(refused)) {
      for (const value of values) {
        it(`${field} may not be ${JSON.stringify(value)}`, () => {
          expect(leafViolations({ field, operator: 'equals', value })).to.deep.equal(['value condition.value.syntax']);
        });
      }
    }

    it('allows 253 characters of a host name, not counting a trailing dot', () => {
      const name = `${'a.'.repeat(126)}a`;
      expect(leafViolations({ field: 'host', operator: 'equals', value: name })).to.deep.equal([]);
      expect(leafViolations({ field: 'host', operator: 'equals', value: `${name}.` })).to.deep.equal([]);
    });

    it('may be part of a host name or media type if the operator compares parts', () => {
      expect(leafViolations({ field: 'host', operator: 'ends_with', value: '.Example.com' })).to.deep.equal([]);
      expect(leafViolations({ field: 'host', operator: 'contains', value: 'a/b' })).to.have.length(1);
      expect(leafViolations({ field: 'contentType', operator: 'starts_with', value: 'image/' })).to.deep.equal([]);
      expect(leafViolations({ field: 'contentType', operator: 'contains', value: '; q' })).to.have.length(1);
    });

    it('of uri starts with a slash if the operator compares the beginning, and only then', () => {
      const uri = (operator: string, value: string) => leafViolations({ field: 'uri', operator, value });
      expect(uri('starts_with', 'a')).to.deep.equal(['value condition.value.syntax']);
      expect(uri('not_starts_with', 'a')).to.deep.equal(['value condition.value.syntax']);
      expect(uri('in', '/a\nb')).to.deep.equal(['value condition.value.syntax']);
      expect(uri('ends_with', 'a')).to.deep.equal([]);
      expect(uri('contains', 'a')).to.deep.equal([]);
      expect(uri('matches', 'a')).to.deep.equal([]);
    });

    it('suggests the operator for ranges', () => {
      expect(messageOf({ field: 'ip', operator: 'equals', value: '192.0.2.0/24' })).to.include('use "in"');
    });
  });

  describe('list', () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
    const address = (index: number) => `10.0.${Math.floor(index / 256)}.${index % 256}`;
    const addresses = (count: number) => Array.from({ length: count }, (_, index) => address(index));

    it('has at most 1000 distinct entries', () => {
      expect(leafViolations({ field: 'asn', operator: 'in', value: numbers(1000).join() })).to.deep.equal([]);
      expect(leafViolations({ field: 'asn', operator: 'in', value: numbers(1001).join() })).to.deep.equal([
        'value condition.list.tooLong',
      ]);
      expect(leafViolations({ field: 'query', operator: 'not_in', value: numbers(1001).join('\n') })).to.deep.equal([
        'value condition.list.tooLong',
      ]);
    });

    it('has at most 5000 distinct entries for ip, which do not count towards the size', () => {
      expect(leafViolations({ field: 'ip', operator: 'in', value: addresses(5000).join('\n') })).to.deep.equal([]);
      expect(leafViolations({ field: 'ip', operator: 'in', value: addresses(5001).join('\n') })).to.deep.equal([
        'value condition.list.tooLong',
      ]);
    });

    it('does not count duplicates and blanks, however they are written', () => {
      const value = [...numbers(1000), ...numbers(1000).map((number) => `AS${number}`), ' ', '\n', ''].join(', ');
      expect(leafViolations({ field: 'asn', operator: 'in', value })).to.deep.equal([]);
    });

    it('has at least one entry', () => {
      for (const value of ['', ' ', '\n', ' \n ']) {
        expect(leafViolations({ field: 'query', operator: 'in', value })).to.deep.equal([
          'value condition.value.required',
        ]);
      }
      expect(leafViolations({ field: 'country', operator: 'in', value: ', ,\n' })).to.deep.equal([
        'value condition.value.required',
      ]);
    });

    it('is separated by commas only if entries cannot contain any', () => {
      expect(leafViolations({ field: 'uri', operator: 'in', value: '/a,b' })).to.deep.equal([]);
      for (const field of ['ip', 'country', 'asn', 'method', 'host', 'scheme', 'extension', 'contentType']) {
        const value = compatibility[field]?.equals ?? '';
        expect(leafViolations({ field, operator: 'in', value: `${value},${value}` }), field).to.deep.equal([]);
      }
    });

    it('reports the first invalid entry', () => {
      const message = messageOf({ field: 'country', operator: 'in', value: 'DE\n\nAT, nope, no' });
      expect(message).to.match(/^Entry 3 of the list: /);
    });

    it('accepts ranges for ip and explains what is wrong with them', () => {
      const ip = (value: string) => leafViolations({ field: 'ip', operator: 'in', value });
      expect(ip('192.0.2.7/24, ::1, 2001:db8::/32')).to.deep.equal([]);
      expect(ip('192.0.2.0/33')).to.deep.equal(['value condition.value.syntax']);
      expect(ip('fe80::%1/64')).to.deep.equal(['value condition.value.syntax']);
      expect(messageOf({ field: 'ip', operator: 'in', value: '::1\n192.0.2.0/33' })).to.include('prefix length');
    });
  });

  describe('pattern', () => {
    const refused = [
      ['(a)\\1', 'backreference'],
      ['a(?=b)', 'lookaround'],
      ['é', 'nonAscii'],
      ['(a', 'group.unclosed'],
      [`${'a{1000}'.repeat(5)}b`, 'states'],
    ] as const;
    for (const [value, code] of refused) {
      it(`is refused with condition.regex.${code}: ${value.slice(0, 20)}`, () => {
        for (const operator of ['matches', 'not_matches', 'matches_ci', 'iregex']) {
          expect(leafViolations({ field: 'userAgent', operator, value })).to.deep.equal([
            `value condition.regex.${code}`,
          ]);
        }
      });
    }

    it('is rejected with the construct and its position', () => {
      expect(messageOf({ field: 'uri', operator: 'matches', value: '^/(a)/\\1' })).to.equal(
        'The backreference "\\1" at position 6 is not supported.',
      );
    });
  });
});
