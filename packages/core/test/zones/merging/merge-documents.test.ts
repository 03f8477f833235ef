import { expect } from 'chai';
import * as fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../../src/kernel/shared/json.ts';
import { listIn } from '../../../src/zones/history/zone-document.ts';
import { mergeDocuments, type Resolution } from '../../../src/zones/merging/merge-documents.ts';
import { okOf } from '../../results.ts';

type Rules = Readonly<Record<string, JsonObject>>;

const documentWith = (settings: JsonObject, rules: Rules, order = Object.keys(rules)): JsonObject => ({
  zone_settings: settings,
  configurationRules: { order, items: rules },
});
const rules = (all: Rules, order?: readonly string[]): JsonObject => documentWith({}, all, order && [...order]);
const named = (...names: readonly string[]): JsonObject =>
  rules(Object.fromEntries(names.map((name) => [name, { name }])));

/** The result of a merge in short: settings and rules, or what is wrong. */
function outcomeOf(
  base: JsonObject | undefined,
  theirs: JsonObject,
  yours: JsonObject,
  resolution?: Resolution,
): unknown {
  return mergeDocuments({ base, theirs, yours }, resolution).match<unknown>(
    ({ zone_settings, configurationRules }) => documentOf(zone_settings, configurationRules),
    (refusal) =>
      refusal.type === 'InvalidInput'
        ? refusal.violations.map(({ code, propertyPath }) => `${code} ${propertyPath}`)
        : refusal.conflicts,
  );
}

const documentOf = (settings: Json | undefined, list: Json | undefined): JsonObject => ({
  zone_settings: settings ?? {},
  configurationRules: list ?? {},
});

describe('mergeDocuments', () => {
  const list = 'configurationRules';
  const one = (content: JsonObject): JsonObject => rules({ r: { name: 'r', ...content } });
  const cases: readonly (readonly [
    what: string,
    documents: readonly [base: JsonObject | undefined, theirs: JsonObject, yours: JsonObject],
    outcome: unknown,
    resolution?: Resolution,
  ])[] = [
    [
      'takes settings from the side that changed them, and keeps what both removed away',
      [
        documentWith({ a: 1, b: 1, c: 1, d: 1 }, {}),
        documentWith({ a: 2, b: 1, c: 3 }, {}),
        documentWith({ a: 1, b: 2, c: 3, e: 5 }, {}),
      ],
      documentWith({ a: 2, c: 3, b: 2, e: 5 }, {}),
    ],
    [
      'finds a setting that both changed, with absent values left out',
      [documentWith({ a: 1, b: 1 }, {}), documentWith({ a: 2, c: 1 }, {}), documentWith({ b: 2, c: 2 }, {})],
      [
        { path: 'zone_settings.a', base: 1, theirs: 2, yours: undefined },
        { path: 'zone_settings.b', base: 1, theirs: undefined, yours: 2 },
        { path: 'zone_settings.c', base: undefined, theirs: 1, yours: 2 },
      ],
    ],
    ['compares values as JSON', [one({ v: { a: 1, b: [2] } }), one({ v: { b: [2], a: 1 } }), one({})], one({})],
    [
      'merges members of a rule, and each overridden setting by itself',
      [
        one({ on: true, settingsOverrides: { a: 1, b: 1 } }),
        one({ on: false, settingsOverrides: { a: 2, b: 1 } }),
        one({ on: true, settingsOverrides: { a: 1, c: 3 } }),
      ],
      one({ on: false, settingsOverrides: { a: 2, c: 3 } }),
    ],
    [
      'names the member or the overridden setting that both changed',
      [
        one({ on: 1, settingsOverrides: { a: 1 } }),
        one({ on: 2, settingsOverrides: { a: 2 } }),
        one({ on: 3, settingsOverrides: { a: 3 } }),
      ],
      [
        { path: `${list}.items.r.on`, base: 1, theirs: 2, yours: 3 },
        { path: `${list}.items.r.settingsOverrides.a`, base: 1, theirs: 2, yours: 3 },
      ],
    ],
    ['drops a rule that one side deleted', [named('a', 'b', 'c'), named('b', 'c'), named('a', 'b')], named('b')],
    [
      'finds a rule that one side deleted and the other changed',
      [one({}), one({ on: 1 }), rules({})],
      [{ path: `${list}.items.r`, base: { name: 'r' }, theirs: { name: 'r', on: 1 }, yours: undefined }],
    ],
    [
      'finds a rule that is new on both sides with different content',
      [rules({}), one({ on: 1 }), one({ on: 2 })],
      [
        {
          path: `${list}.items.r`,
          base: undefined,
          theirs: { name: 'r', on: 1 },
          yours: { name: 'r', on: 2 },
        },
      ],
    ],
    ['takes a rule that is new and equal on both sides', [rules({}), one({ on: 1 }), one({ on: 1 })], one({ on: 1 })],
    [
      'puts new rules before what comes next on their side',
      [named('a', 'b', 'c'), named('a', 't', 'b', 'c'), named('y', 'a', 'b', 'z', 'c', 'e')],
      named('y', 'a', 't', 'b', 'z', 'c', 'e'),
    ],
    [
      'takes the order of the side that changed it',
      [named('a', 'b', 'c'), named('a', 'b', 't', 'c'), named('c', 'b', 'a')],
      rules(itemsOf('a', 'b', 't', 'c'), ['t', 'c', 'b', 'a']),
    ],
    [
      'finds two new orders, though not in what only some have',
      [named('a', 'b', 'c'), named('b', 'a', 'c'), named('a', 'c', 'b')],
      [{ path: `${list}.order`, base: ['a', 'b', 'c'], theirs: ['b', 'a', 'c'], yours: ['a', 'c', 'b'] }],
    ],
    [
      'keeps a changed order of which the other side deleted a part',
      [named('a', 'b', 'c'), named('a', 'b'), named('c', 'b', 'a')],
      rules(itemsOf('a', 'b'), ['b', 'a']),
    ],
    [
      'without a base: everything that differs is in conflict, and orders of what both have',
      [undefined, documentWith({ a: 1 }, itemsOf('a', 'b', 't')), documentWith({ a: 2 }, itemsOf('b', 'y', 'a'))],
      [
        { path: `${list}.order`, base: undefined, theirs: ['a', 'b', 't'], yours: ['b', 'y', 'a'] },
        { path: 'zone_settings.a', base: undefined, theirs: 1, yours: 2 },
      ],
    ],
    [
      'without a base: takes what is on one side alone',
      [undefined, documentWith({ a: 1 }, itemsOf('a', 't')), documentWith({ b: 2 }, itemsOf('y', 'a'))],
      documentWith({ a: 1, b: 2 }, itemsOf('a', 't', 'y'), ['y', 'a', 't']),
    ],
    [
      'settles conflicts by path, and all others by *',
      [documentWith({ a: 1 }, itemsOf('r')), documentWith({ a: 2 }, {}), documentWith({ a: 3 }, { r: { name: 's' } })],
      documentWith({ a: 2 }, { r: { name: 's' } }),
      { [`${list}.items.r`]: 'yours', '*': 'theirs' },
    ],
    [
      'settles an order',
      [named('a', 'b', 'c'), named('b', 'a', 'c'), named('a', 'c', 'y', 'b')],
      rules(itemsOf('b', 'a', 'c', 'y'), ['a', 'c', 'y', 'b']),
      { [`${list}.order`]: 'yours' },
    ],
    [
      'reports the conflicts that are left',
      [documentWith({ a: 1, b: 1 }, {}), documentWith({ a: 2, b: 2 }, {}), documentWith({ a: 3, b: 3 }, {})],
      [{ path: 'zone_settings.b', base: 1, theirs: 2, yours: 3 }],
      { 'zone_settings.a': 'yours' },
    ],
    [
      'refuses to settle what is no conflict',
      [documentWith({ a: 1 }, {}), documentWith({ a: 2 }, {}), documentWith({ a: 3 }, {})],
      ['merge.noConflict zone_settings.b'],
      { '*': 'yours', 'zone_settings.b': 'theirs' },
    ],
    ['accepts * where there is no conflict', [named('a'), named('a'), named('a')], named('a'), { '*': 'yours' }],
  ];
  for (const [what, [base, theirs, yours], outcome, resolution] of cases) {
    it(what, () => expect(outcomeOf(base, theirs, yours, resolution)).to.deep.equal(outcome));
  }

  it('keeps the other members of the zone', () => {
    const of = (name: string): JsonObject => ({ ...named('a'), name, basicAuthUsers: { [name]: {} } });
    const merged = okOf(mergeDocuments({ base: of('base'), theirs: of('theirs'), yours: of('yours') }));
    expect([merged['name'], merged['basicAuthUsers']]).to.deep.equal(['theirs', { theirs: {} }]);
  });
});

function itemsOf(...names: readonly string[]): Rules {
  return Object.fromEntries(names.map((name) => [name, { name }]));
}

describe('any merge', () => {
  const members = (keys: readonly string[]) => fc.dictionary(fc.constantFrom(...keys), fc.integer({ min: 1, max: 3 }));
  const aRule = fc.record({ name: fc.constantFrom('p', 'q'), settingsOverrides: members(['a', 'b']) });
  const aDocument = fc
    .tuple(
      members(['a', 'b', 'c']),
      fc.shuffledSubarray(['v', 'w', 'x', 'y', 'z']),
      fc.array(aRule, { minLength: 5, maxLength: 5 }),
    )
    .map(([settings, order, contents]) =>
      documentWith(settings, Object.fromEntries(order.map((id, index) => [id, contents[index] ?? {}])), order),
    );
  const documents = fc.record({ base: aDocument, theirs: aDocument, yours: aDocument });
  const merged = (base: JsonObject, theirs: JsonObject, yours: JsonObject) => outcomeOf(base, theirs, yours);

  /** Every unit with its value, without orders. */
  function unitsOf(document: Json, path = ''): readonly (readonly [path: string, value: string])[] {
    if (!isJsonObject(document)) return path.endsWith('.order') ? [] : [[path, JSON.stringify(document)]];
    return Object.entries(document).flatMap(([member, value]) =>
      unitsOf(value, path === '' ? member : `${path}.${member}`),
    );
  }

  it('with one side unchanged results in the other side', () => {
    fc.assert(
      fc.property(aDocument, aDocument, (base, changed) => {
        expect(merged(base, changed, base)).to.deep.equal(changed);
        expect(merged(base, base, changed)).to.deep.equal(changed);
        expect(merged(base, changed, changed)).to.deep.equal(changed);
      }),
    );
  });

  it('finds the same conflicts from either side, and the same rules', () => {
    const itemsIn = (document: ReturnType<typeof mergeDocuments>) =>
      document.match<unknown>(
        ({ zone_settings, configurationRules }) =>
          isJsonObject(configurationRules) ? [zone_settings, configurationRules['items']] : [],
        (refusal) => ('conflicts' in refusal ? refusal.conflicts.map(({ path }) => path) : refusal),
      );
    fc.assert(
      fc.property(documents, ({ base, theirs, yours }) => {
        const mirrored = mergeDocuments({ base, theirs: yours, yours: theirs });
        expect(itemsIn(mergeDocuments({ base, theirs, yours }))).to.deep.equal(itemsIn(mirrored));
      }),
    );
  });

  it('takes each changed unit from a side that changed it, and orders all rules without duplicates', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom('yours', 'theirs'), (all, side) => {
        const result = okOf(mergeDocuments(all, { '*': side }));
        const [base, theirs, yours, found] = [all.base, all.theirs, all.yours, result].map((d) => new Map(unitsOf(d)));
        const ruleOf = (path: string) => /^configurationRules\.items\.\w/.exec(path)?.[0];
        const has = (units: typeof base, path: string) =>
          ruleOf(path) === undefined || [...(units?.keys() ?? [])].some((other) => ruleOf(other) === ruleOf(path));
        for (const path of new Set([theirs, yours, found].flatMap((units) => [...(units?.keys() ?? [])]))) {
          if (![base, theirs, yours].every((units) => has(units, path))) continue;
          const [b, t, y] = [base?.get(path), theirs?.get(path), yours?.get(path)];
          const conflicting = side === 'yours' ? y : t;
          expect(found?.get(path), path).to.equal(t === b || t === y ? y : y === b ? t : conflicting);
        }
        expect(result.configurationRules).to.have.all.keys('order', 'items');
        const { order, items } = listIn(result, 'configurationRule');
        expect(order.toSorted()).to.deep.equal(Object.keys(items).toSorted());
      }),
      { numRuns: 500 },
    );
  });
});
