import { expect } from 'chai';
import { unmatchableValues } from '../../../src/zones/conditions/conditions.ts';
import { aLeaf, type LeafInput } from './builders.ts';

const setOf = (...leaves: readonly unknown[]) => ({ logic: 'and', conditions: leaves }) as never;
const codesOf = (conditions: unknown, before?: unknown) =>
  unmatchableValues(conditions as never, before as never).map(({ propertyPath, code }) => `${propertyPath} ${code}`);

const unmatchable = 'conditions[0].value condition.value.unmatchable';
const syntax = 'conditions[0].value condition.value.syntax';

describe('unmatchableValues', () => {
  const values: readonly (readonly [leaf: LeafInput, code: string | undefined])[] = [
    [{ field: 'path', operator: 'eq', value: '/a?b' }, unmatchable],
    [{ field: 'uri', operator: 'not_in', value: '/a\n/b?' }, unmatchable],
    [{ field: 'uri', operator: 'starts_with', value: '/a/..' }, undefined],
    [{ field: 'uri', operator: 'matches', value: '[?]' }, undefined],
    [{ field: 'query', operator: 'equals', value: 'a#b' }, unmatchable],
    [{ field: 'query', operator: 'equals', value: '?a' }, syntax],
    [{ field: 'query', operator: 'not_in', value: 'a\n?b' }, syntax],
    [{ field: 'query', operator: 'contains', value: '?a' }, undefined],
    [{ field: 'country', operator: 'in', value: 'DE,ZZ' }, unmatchable],
    [{ field: 'country', operator: 'in', value: 'de,xk,T1' }, undefined],
    [{ field: 'header', operator: 'exists' }, undefined],
    // Other problems are not reported twice.
    [{ field: 'country', operator: 'equals', value: 'ZZZ' }, undefined],
    [{ field: 'nonsense', operator: 'equals', value: '/?' }, undefined],
  ];
  for (const [leaf, code] of values) {
    it(`finds ${code ?? 'nothing'} in ${JSON.stringify(leaf)}`, () => {
      expect(codesOf(setOf(aLeaf(leaf)))).to.deep.equal(code === undefined ? [] : [code]);
    });
  }

  it('reports the entry of a list', () => {
    const [first] = unmatchableValues(setOf({ field: 'country', operator: 'in', value: 'DE, ZZ' }), undefined);
    expect(first?.message).to.match(/^Entry 2 of the list: /);
  });

  it('ignores conditions that existed before, at any index, and reports new ones', () => {
    const [old, fresh] = ['/old?', '/new?'].map((value) => ({ field: 'uri', operator: 'equals', value }));
    expect(codesOf(setOf(fresh, { ...old, target: null }), setOf(1, old))).to.deep.equal([unmatchable]);
  });

  it('ignores anything that is not a set of conditions', () => {
    for (const nothing of [undefined, null, 1, [], {}, setOf(null, 1, {}, { field: 'uri', operator: 1 })]) {
      expect(codesOf(nothing)).to.deep.equal([]);
    }
  });
});
