import { expect } from 'chai';
import * as fc from 'fast-check';
import { canonicalConditions, conditionsKey } from '../../../src/zones/conditions/conditions.ts';
import { aLeaf, conditionsOf, type LeafInput } from './builders.ts';

const canonicalLeaf = (leaf: LeafInput) => canonicalConditions(conditionsOf([leaf])).conditions[0];
const keyOf = (leaves: readonly LeafInput[], logic = 'and') => conditionsKey(conditionsOf(leaves, logic));

/** A meaning and several spellings of it. */
interface Meaning {
  readonly spellings: readonly LeafInput[];
}

const spelled = (
  fields: readonly string[],
  operators: readonly string[],
  rest: readonly Partial<LeafInput>[],
): Meaning => ({
  spellings: fields.flatMap((field) =>
    operators.flatMap((operator) => rest.map((members) => aLeaf({ field, operator, ...members }))),
  ),
});

/** All of them have different meanings, some only because of the case of a case-sensitive value or name. */
const meanings: readonly Meaning[] = [
  spelled(['uri', 'path'], ['equals', 'eq', 'is'], [{ value: '/a' }, { value: '/a', target: '' }]),
  spelled(['uri', 'path'], ['equals', 'eq'], [{ value: '/A' }]),
  spelled(['uri', 'path'], ['not_equals', 'notEquals'], [{ value: '/A' }]),
  spelled(['uri'], ['starts_with', 'startsWith', 'prefix'], [{ value: '/a' }]),
  spelled(['uri'], ['ends_with', 'endsWith', 'suffix'], [{ value: '/a' }]),
  spelled(['uri'], ['in'], [{ value: '/b\n/a' }, { value: ' /a \n\n/b\n/a ' }]),
  spelled(['uri'], ['in'], [{ value: '/B\n/a' }]),
  spelled(['query', 'queryString'], ['contains'], [{ value: 'a,b' }, { value: 'a,b', target: null }]),
  spelled(['query', 'queryString'], ['equals', 'in'], [{ value: 'a,b' }]),
  spelled(['query'], ['not_equals', 'notEquals', 'not_in', 'notIn'], [{ value: 'a' }]),
  spelled(['query'], ['equals'], [{ value: '' }]),
  spelled(['url'], ['prefix', 'starts_with'], [{ value: 'https://a.example/X' }, { value: 'HTTPS://A.Example/X' }]),
  spelled(['url'], ['prefix', 'starts_with'], [{ value: 'https://a.example/x' }]),
  spelled(
    ['queryParam', 'args', 'arg'],
    ['equals'],
    [
      { target: 'a~b', value: 'x' },
      { target: 'a%7eb', value: 'x' },
    ],
  ),
  spelled(
    ['queryParam'],
    ['equals'],
    [
      { target: 'a%2fb', value: 'x' },
      { target: 'a%2Fb', value: 'x' },
    ],
  ),
  spelled(['queryParam'], ['equals'], [{ target: 'A~b', value: 'x' }]),
  spelled(
    ['header', 'headers'],
    ['exists'],
    [{ target: 'X-A' }, { target: 'x-a', value: null }, { target: 'X-a', value: '' }],
  ),
  spelled(['header', 'headers'], ['not_exists', 'notExists'], [{ target: 'X-A' }, { target: 'x-a' }]),
  spelled(
    ['header'],
    ['equals'],
    [
      { target: 'X-A', value: 'v' },
      { target: 'x-A', value: 'v' },
    ],
  ),
  spelled(['header'], ['equals'], [{ target: 'X-A', value: 'V' }]),
  spelled(['cookie', 'cookies'], ['exists'], [{ target: 'a' }]),
  spelled(['cookie', 'cookies'], ['exists'], [{ target: 'A' }]),
  spelled(['method'], ['in'], [{ value: 'POST,GET' }, { value: 'GET\nPOST\nGET' }]),
  spelled(
    ['host', 'hostname'],
    ['equals', 'in'],
    [{ value: 'a.example' }, { value: 'A.EXAMPLE' }, { value: 'a.Example.' }],
  ),
  spelled(['host'], ['ends_with', 'suffix'], [{ value: '.example' }, { value: '.Example' }]),
  spelled(['host'], ['matches', 'regex'], [{ value: 'a.example' }]),
  spelled(['host'], ['matches', 'regex'], [{ value: 'A.example' }]),
  spelled(['host'], ['matches_ci', 'matchesCi', 'iregex'], [{ value: 'a.example' }]),
  spelled(['scheme', 'protocol'], ['equals', 'in'], [{ value: 'http' }, { value: 'HTTP' }]),
  spelled(
    ['ip'],
    ['equals', 'in'],
    [{ value: '192.0.2.1' }, { value: '::ffff:192.0.2.1' }, { value: '::FFFF:C000:201' }],
  ),
  spelled(['ip'], ['in'], [{ value: '192.0.2.9/24' }, { value: '192.0.2.0/24' }, { value: '::ffff:192.0.2.5/120' }]),
  spelled(['ip'], ['not_in', 'notIn'], [{ value: '192.0.2.9/24' }]),
  spelled(['ip'], ['in'], [{ value: '2001:DB8:0:0::1,10.0.0.0/8' }, { value: '10.1.1.1/8\n2001:db8::1' }]),
  spelled(['country'], ['equals', 'in'], [{ value: 'de' }, { value: 'DE' }, { value: 'De' }]),
  spelled(['country'], ['in'], [{ value: 'de,at' }, { value: 'AT\nDE' }, { value: 'at , DE, de,' }]),
  spelled(['asn'], ['equals', 'in'], [{ value: '64500' }, { value: 'AS64500' }, { value: 'as64500' }]),
  spelled(['contentType', 'content_type'], ['equals'], [{ value: 'text/html' }, { value: 'Text/HTML' }]),
  spelled(['contentType'], ['prefix'], [{ value: 'image/' }, { value: 'IMAGE/' }]),
  spelled(['extension'], ['in'], [{ value: 'css,js' }, { value: 'JS\nCSS' }]),
  spelled(['userAgent', 'user_agent'], ['contains'], [{ value: 'bot' }]),
  spelled(['userAgent', 'user_agent'], ['contains'], [{ value: 'Bot' }]),
  spelled(['acceptLanguage', 'accept_language'], ['contains'], [{ value: 'bot' }]),
];

/** Indexes of distinct meanings. */
const choice = fc.uniqueArray(fc.nat(meanings.length - 1), { minLength: 1, maxLength: 12 });

/** The chosen meanings, each in at least one spelling, in any order. */
const written = (chosen: readonly number[]): fc.Arbitrary<LeafInput[]> =>
  fc
    .tuple(...chosen.map((index) => fc.array(fc.constantFrom(...spellingsOf(index)), { minLength: 1, maxLength: 2 })))
    .chain((leaves) => fc.shuffledSubarray(leaves.flat(), { minLength: leaves.flat().length }));

const sameNumbers = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((each) => b.includes(each));

const spellingsOf = (index: number) => meanings[index]?.spellings ?? [];
const logics = { and: ['and', 'all', 'AND', 'All'], or: ['or', 'any', 'OR', 'Any'] } as const;

describe('canonicalConditions', () => {
  it('resolves aliases, and has null for what is absent', () => {
    const canonical = canonicalConditions(
      conditionsOf(
        [
          { field: 'hostname', operator: 'notEquals', value: 'WWW.Example.com.' },
          { field: 'headers', operator: 'notExists', target: 'X-Test' },
        ],
        'ANY',
      ),
    );
    expect(canonical).to.deep.equal({
      logic: 'or',
      conditions: [
        { field: 'header', operator: 'not_exists', target: 'x-test', value: null },
        { field: 'host', operator: 'not_equals', target: null, value: 'www.example.com' },
      ],
    });
  });

  // How the engine reads values and targets is a matter of its own tests.
  const values = [
    ['ip', 'in', '192.0.2.7/24', 'in', '192.0.2.0/24'],
    ['ip', 'in', '192.0.2.7/32', 'equals', '192.0.2.7'],
    ['ip', 'not_in', '192.0.2.7', 'not_equals', '192.0.2.7'],
    ['ip', 'in', '192.0.2.9/24,192.0.2.1/24', 'in', '192.0.2.0/24'],
    ['country', 'in', 'us,de,US', 'in', 'DE\nUS'],
    ['country', 'in', 'us,US,', 'equals', 'US'],
    ['country', 'notIn', 'us', 'not_equals', 'US'],
    ['uri', 'in', ' /b ', 'equals', '/b'],
    ['query', 'regex', ' A ', 'matches', ' A '],
  ] as const;
  for (const [field, operator, value, canonicalOperator, canonicalValue] of values) {
    it(`reads ${field} ${operator} ${JSON.stringify(value)} as ${canonicalOperator} ${JSON.stringify(canonicalValue)}`, () => {
      const rest = { operator: canonicalOperator, target: null, value: canonicalValue };
      expect(canonicalLeaf({ field, operator, value })).to.deep.equal({ field, ...rest });
    });
  }

  it('sorts leaves by field, target, operator and value', () => {
    const sorted = [
      { field: 'cookie', operator: 'exists', target: 'B' },
      { field: 'cookie', operator: 'equals', target: 'a', value: 'x' },
      { field: 'cookie', operator: 'equals', target: 'a', value: 'x!' },
      { field: 'cookie', operator: 'exists', target: 'a' },
      { field: 'uri', operator: 'contains', value: 'b' },
      { field: 'uri', operator: 'equals', value: '/a' },
    ];
    const { conditions } = canonicalConditions(conditionsOf(sorted.toReversed()));
    expect(conditions).to.deep.equal(sorted.map((leaf) => ({ target: null, value: null, ...leaf })));
  });

  it('uses "and" if only one distinct condition remains', () => {
    const one = [
      { field: 'uri', operator: 'eq', value: '/' },
      { field: 'path', operator: 'in', value: '/\n/' },
    ];
    expect(canonicalConditions(conditionsOf(one, 'or'))).to.deep.equal({
      logic: 'and',
      conditions: [{ field: 'uri', operator: 'equals', target: null, value: '/' }],
    });
  });

  it('keeps "or" if two conditions remain', () => {
    const two = [
      { field: 'uri', operator: 'eq', value: '/' },
      { field: 'uri', operator: 'eq', value: '/a' },
    ];
    expect(canonicalConditions(conditionsOf(two, 'any')).logic).to.equal('or');
  });
});

describe('conditionsKey', () => {
  it('is JSON with its members in a fixed order', () => {
    expect(keyOf([{ value: '/', operator: 'is', field: 'path' }], 'or')).to.equal(
      '{"logic":"and","conditions":[{"field":"uri","operator":"equals","target":null,"value":"/"}]}',
    );
  });

  it('is the same for permuted, repeated and differently spelled conditions', () => {
    const pair = fc
      .tuple(choice, fc.constantFrom('and' as const, 'or' as const))
      .chain(([chosen, logic]) =>
        fc.tuple(
          written(chosen),
          written(chosen),
          fc.constantFrom(...logics[logic]),
          fc.constantFrom(...logics[logic]),
        ),
      );
    fc.assert(
      fc.property(pair, ([first, second, firstLogic, secondLogic]) => {
        expect(keyOf(first, firstLogic)).to.equal(keyOf(second, secondLogic));
      }),
      { numRuns: 500 },
    );
  });

  it('differs between sets of different conditions', () => {
    const pair = fc.tuple(choice, choice).filter(([a, b]) => !sameNumbers(a, b));
    fc.assert(
      fc.property(
        pair.chain(([a, b]) => fc.tuple(written(a), written(b))),
        ([first, second]) => {
          expect(keyOf(first)).not.to.equal(keyOf(second));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('differs between all meanings used above', () => {
    const keys = meanings.map(({ spellings }) => new Set(spellings.map((leaf) => keyOf([leaf]))));
    expect(keys.map((each) => each.size)).to.deep.equal(meanings.map(() => 1));
    expect(new Set(keys.flatMap((each) => [...each]))).to.have.property('size', meanings.length);
  });

  it('differs between "and" and "or" of the same two conditions', () => {
    const two = [
      { field: 'uri', operator: 'eq', value: '/' },
      { field: 'uri', operator: 'eq', value: '/a' },
    ];
    expect(keyOf(two, 'all')).not.to.equal(keyOf(two, 'any'));
  });

  it('differs between values that only differ in the case of a case-sensitive field', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcXYZ09-'.split('')), minLength: 1, maxLength: 12 });
    const field = fc.constantFrom('query', 'queryParam', 'header', 'cookie', 'userAgent', 'referer', 'acceptLanguage');
    fc.assert(
      fc.property(field, word, word, (name, first, second) => {
        fc.pre(first !== second);
        const leaf = (value: string) => [aLeaf({ field: name, operator: 'equals', value })];
        expect(keyOf(leaf(first))).not.to.equal(keyOf(leaf(second)));
      }),
    );
  });

  it('is the same for conditions built from their canonical form', () => {
    const anyValue = fc
      .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 })
      .filter((value) => value.trim() !== '');
    const almostTriplets = fc.string({ unit: fc.constantFrom(...'%27eE5fa'.split('')), minLength: 1, maxLength: 12 });
    const free = fc
      .tuple(fc.constantFrom('equals', 'contains', 'in'), anyValue)
      .map(([operator, value]) => [aLeaf({ field: 'userAgent', operator, value })]);
    const url = anyValue.map((rest) => [aLeaf({ field: 'url', operator: 'eq', value: `HTTPS://${rest}` })]);
    const parameter = almostTriplets.map((target) => [aLeaf({ field: 'arg', operator: 'exists', target })]);
    fc.assert(
      fc.property(
        fc.oneof(choice.chain(written), free, url, parameter),
        fc.constantFrom('or', 'ALL'),
        (leaves, logic) => {
          const once = conditionsOf(leaves, logic);
          const { logic: canonicalLogic, conditions } = canonicalConditions(once);
          expect(conditionsKey(conditionsOf(conditions, canonicalLogic))).to.equal(conditionsKey(once));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
