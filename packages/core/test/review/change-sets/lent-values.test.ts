import { expect } from 'chai';
import * as fc from 'fast-check';
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject, jsonDocument, mergePatch } from '../../../src/kernel/shared/json.ts';
import { withLent, withoutLent } from '../../../src/review/change-sets/lent-values.ts';
import { draftContents } from '../../../src/zones/drafts/zone-contents.ts';
import { mergeDocuments } from '../../../src/zones/merging/merge-documents.ts';
import { ruleKinds } from '../../../src/zones/rule-kinds/rule-kinds.ts';
import { ZoneSettings } from '../../../src/zones/settings/settings.ts';
import { okOf } from '../../results.ts';

const page = 'x'.repeat(5000);
const addresses = Array.from({ length: 500 }, (_, index) => `192.0.${index >> 8}.${index & 255}`).join('\n');
const conditions = { logic: 'or', conditions: [{ field: 'ip', operator: 'in', value: addresses }] };

/** Rules of the lender have the ids `s0`, `s1`, …, and `t0`, `t1`, … in the target. */
const listOf = (letter: string, rules: readonly Json[]): JsonObject => ({
  order: rules.map((_, index) => `${letter}${index}`),
  items: Object.fromEntries(rules.map((rule, index) => [`${letter}${index}`, rule])),
});
const sources = new Map(Array.from({ length: 500 }, (_, index) => [`t${index}`, `s${index}`]));
const stored = (patch: JsonObject, lender: JsonObject) => withoutLent(jsonDocument(patch), lender, sources);

const rule = (name: string, more: JsonObject = {}): JsonObject => ({ name, enabled: true, conditions, ...more });
const lender = {
  zone_settings: { customPagesErrorHtml: page, minifyHtml: true },
  configurationRules: listOf('s', [
    rule('a'),
    rule('b', {
      settingsOverrides: { customPagesErrorHtml: page, defaultBackend: { type: 'origin_server', id: 's' } },
    }),
  ]),
};

describe('withoutLent', () => {
  it('leaves out long settings, rules and members of rules that the lender has', () => {
    const overrides = { customPagesErrorHtml: page, defaultBackend: { type: 'origin_server', id: 't' } };
    const patch = {
      zone_settings: { minifyHtml: true, customPagesErrorHtml: page },
      configurationRules: {
        order: ['t0', 't1'],
        items: { t0: rule('a'), t1: { name: 'b', enabled: false, settingsOverrides: overrides, conditions } },
      },
    };
    expect(stored(patch, lender)?.value).to.deep.equal({
      zone_settings: { minifyHtml: true, customPagesErrorHtml: [[]] },
      configurationRules: {
        order: ['t0', 't1'],
        items: {
          t0: [[0]],
          t1: {
            name: 'b',
            enabled: false,
            settingsOverrides: { customPagesErrorHtml: [[1]], defaultBackend: { type: 'origin_server', id: 't' } },
            conditions: [[1]],
          },
        },
      },
    });
  });

  it('leaves out settings and overrides one by one: a merge takes a list in their place for none at all', () => {
    const settingsOverrides = { customPagesErrorHtml: page, minifyHtml: true };
    const source = {
      zone_settings: settingsOverrides,
      configurationRules: listOf('s', [rule('a', { settingsOverrides })]),
    };
    const changed = { ...rule('b', { settingsOverrides }), conditions: {} };
    const patch = { zone_settings: settingsOverrides, configurationRules: listOf('t', [changed]) };
    const rest = { customPagesErrorHtml: [[]], minifyHtml: true };
    expect(stored(patch, source)?.value).to.deep.equal({
      zone_settings: rest,
      configurationRules: listOf('t', [{ ...changed, settingsOverrides: { ...rest, customPagesErrorHtml: [[0]] } }]),
    });
  });

  it('keeps a patch whole that would hardly become shorter', () => {
    expect(stored({ zone_settings: { customPagesErrorHtml: page.slice(0, 4000) } }, lender)).to.equal(undefined);
    expect(stored({ zone_settings: { customPagesErrorHtml: `${page}!` } }, lender)).to.equal(undefined);
  });

  it('keeps a patch whole that has something like a place', () => {
    const patch = { zone_settings: { customPagesErrorHtml: page, other: [[]] } };
    expect(stored(patch, { zone_settings: { ...lender.zone_settings, other: [[]] } })).to.equal(undefined);
  });

  it('needs few bytes for each of many rules', () => {
    const all = Array.from({ length: 250 }, (_, index) => rule(`Rule ${index}`));
    const patch = { accessRules: listOf('t', all) };
    const items = JSON.stringify(stored(patch, { accessRules: listOf('s', all) })?.value['accessRules']).length;
    expect(items).to.be.below(250 * 30);
  });

  const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(page, addresses, `${page}.`, 'short', true, 7, null) },
      { weight: 1, arbitrary: fc.constantFrom<Json>([[0]], [], [1], [[], []]) },
      { weight: 2, arbitrary: tie('object') },
    ),
    object: fc.dictionary(fc.constantFrom('a', 'b', '7', 'settingsOverrides', '__proto__', 'items'), tie('value')),
  })).value;
  const objects = fc.dictionary(fc.constantFrom('a', 'b', 'settingsOverrides', '7'), value);
  const reordered = (object: JsonObject): JsonObject => Object.fromEntries(Object.entries(object).toReversed());

  it('leaves out nothing that is not filled in again exactly as it was, including the order of members', () => {
    let shortened = 0;
    fc.assert(
      fc.property(
        objects,
        fc.array(objects, { maxLength: 3 }),
        objects,
        fc.boolean(),
        (settings, rules, other, turned) => {
          const source = { zone_settings: settings, accessRules: listOf('s', rules) };
          const changed = turned ? rules.map(reordered) : rules.map((each, index) => (index === 1 ? other : each));
          const patch = jsonDocument({
            zone_settings: mergePatch(settings, other),
            accessRules: listOf('t', [...changed, other]),
            rewriteRules: null,
          });
          const rest = withoutLent(patch, source, sources);
          if (rest === undefined) return;
          shortened += 1;
          expect(rest.text.length).to.be.below(patch.text.length);
          expect(JSON.stringify(withLent(JSON.parse(rest.text), JSON.parse(JSON.stringify(source))))).to.equal(
            patch.text,
          );
        },
      ),
    );
    expect(shortened).to.be.above(10);
  });
});

describe('A patch with places that are not filled in', () => {
  /** The zone that a version would get which takes places for values. */
  const misread = (patch: JsonObject, base: JsonObject) =>
    draftContents(okOf(mergeDocuments({ base, theirs: base, yours: mergePatch(base, patch) })), base);
  const id = '0197c4e3-0000-7000-8000-000000000001';
  const rules = (content: JsonObject): JsonObject => ({
    configurationRules: { order: [id], items: { [id]: content } },
  });
  const leaf = { field: 'uri', operator: 'contains', value: 'a' };
  const none = { zone_settings: {}, configurationRules: { order: [], items: {} } };
  const old = rules({
    name: 'a',
    conditions: { logic: 'and', conditions: [leaf] },
    settingsOverrides: { minifyHtml: true },
  });
  const parameters = Array.from({ length: 100 }, (_, index) => `${'p'.repeat(50)}${index}`);
  const overrides = { settingsOverrides: { cachingIgnoredUrlParams: parameters } };
  const cases: readonly (readonly [what: string, patch: JsonObject, base: JsonObject])[] = [
    ['a setting', { zone_settings: { customPagesErrorHtml: page } }, none],
    ['a new rule', rules(rule('a')), none],
    ['a whole rule', rules(rule('b')), old],
    ['a member of a rule', rules({ conditions }), old],
    ['a part of a member', rules({ conditions: { conditions: conditions.conditions } }), old],
    ['an overridden setting', rules(overrides), old],
    ['the only overridden setting', rules(overrides), rules({ name: 'a', conditions, settingsOverrides: {} })],
  ];
  for (const [what, patch, base] of cases) {
    it(`in ${what} is refused, so that nothing applies a part of it`, () => {
      expect(misread(patch, base).isOk(), 'the whole patch').to.equal(true);
      const rest = withoutLent(jsonDocument(patch), patch, new Map([[id, id]]))?.value ?? {};
      expect(rest, 'what is left of it').not.to.deep.equal({});
      expect(misread(rest, base).isErr(), JSON.stringify(rest)).to.equal(true);
    });
  }

  it('could not be valid: no setting or rule has a list of lists', () => {
    const schemas = [ZoneSettings, ...Object.values(ruleKinds).map(({ schema }) => schema)];
    for (const schema of schemas)
      expect(listsOfLists(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))).to.deep.equal([]);
  });

  /** The nodes of a JSON schema that admit a list of lists, or anything. */
  function listsOfLists(node: unknown): readonly unknown[] {
    if (Array.isArray(node)) return node.flatMap(listsOfLists);
    if (!isJsonObject(node)) return [];
    const { type, items } = node;
    const isOne = type === 'array' && isJsonObject(items) && items['type'] === 'array';
    return [...(isOne ? [node] : []), ...Object.values(node).flatMap(listsOfLists)];
  }
});
