import { type ListRulesQuery } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { listRules } from '../../../../src/zones/rules/read-rules.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule, configurationRulesOf, positionAndName, someRules } from '../../../support/rules.ts';
import { aWorld } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone } from '../../../support/zones.ts';

const aQuery = (changes: Partial<ListRulesQuery> = {}): ListRulesQuery => ({
  names: [],
  page: 1,
  itemsPerPage: 30,
  ...changes,
});

const aWorldWithZone = async (...names: readonly string[]) => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  const { owner, zone } = arranged;
  const rules = await someRules(world, owner, zone.id, names);
  const list = listRules(world);
  const listed = async (changes: Partial<ListRulesQuery> = {}) => {
    const { items, totalItems } = await valueOf(list(owner, configurationRulesOf(zone), aQuery(changes)));
    return { items: items.map(positionAndName), totalItems };
  };
  return { world, ...arranged, rules, list, listed };
};

describe('listRules', () => {
  it('lists complete rules in evaluation order', async () => {
    const { world, owner, zone, rules, list } = await aWorldWithZone('a', 'b');
    const first = await aRule(world, owner, zone.id, 'first', { order: 1, settingsOverrides: { minifyHtml: true } });
    const { listRevisions } = await valueOf(world.unitOfWork.view(({ zones }) => zones.state(zone.id)));
    expect(await list(owner, configurationRulesOf(zone), aQuery())).to.deep.equal(
      ok({
        items: [first, { ...rules[0], order: 2 }, { ...rules[1], order: 3 }],
        totalItems: 3,
        revision: listRevisions.configurationRule,
      }),
    );
  });

  it('shows no rules of other zones', async () => {
    const { world, owner, listed } = await aWorldWithZone('a');
    await aRule(world, owner, (await aZone(world, owner, { name: 'Other' })).id, 'b');
    expect(await listed()).to.deep.equal({ items: ['1 a'], totalItems: 1 });
  });

  const searches: readonly (readonly [names: readonly string[], ...items: string[]])[] = [
    [[], '1 Images', '2 100%', '3 Old images', '4 API'],
    [['images'], '1 Images', '3 Old images'],
    [['IMAGES'], '1 Images', '3 Old images'],
    [['api', 'old'], '3 Old images', '4 API'],
    [['images', 'old'], '1 Images', '3 Old images'],
    [['%'], '2 100%'],
    [['_']],
    [['d i'], '3 Old images'],
    [['nowhere']],
  ];
  for (const [names, ...items] of searches) {
    it(`finds ${items.join(', ') || 'nothing'} by ${JSON.stringify(names)}, positions as in the whole list`, async () => {
      const { listed } = await aWorldWithZone('Images', '100%', 'Old images', 'API');
      expect(await listed({ names })).to.deep.equal({ items, totalItems: items.length });
    });
  }

  const pages: readonly (readonly [page: number, itemsPerPage: number, ...items: string[]])[] = [
    [1, 2, '1 a', '2 b'],
    [2, 2, '3 c'],
    [3, 2],
    [1, 0],
    [1, 100, '1 a', '2 b', '3 c'],
  ];
  for (const [page, itemsPerPage, ...items] of pages) {
    it(`shows ${items.join(', ') || 'nothing'} on page ${page} of ${itemsPerPage}, and the total`, async () => {
      const { listed } = await aWorldWithZone('a', 'b', 'c');
      expect(await listed({ page, itemsPerPage })).to.deep.equal({ items, totalItems: 3 });
    });
  }
});
